//! Links in the order of their clicks.

use std::collections::BTreeMap;

use hny_domain::{Caller, Code, CodeOrigin, Link, LinkId, Listing, Place, Sight, Timestamp};
use hny_store::{NewLink, Store};
use tokio::task::JoinSet;

use super::{FEWEST_CLICKS, MOST_CLICKS, all, codes, listing, make, page};
use crate::database::{Database, NOW, caller, click, clicks, contract, delete, insert, insert_key, new_link, take};

contract![
    clicks_are_an_order,
    links_that_were_never_followed_are_found_among_many_that_were,
    the_order_is_right_whoever_counts_and_how_many_at_once,
    clicks_that_are_removed_change_the_order,
];

async fn clicks_are_an_order(database: Database) {
    let store = database.store().await;
    let links = make(&store, 6, Caller::Operator).await;
    for (link, count) in [(&links[1], 2), (&links[3], 5), (&links[4], 2)] {
        take(&store, (0..count).map(|_| click(link.id, NOW)).collect()).await.unwrap();
    }
    // A second change of a count, which may be in another lane.
    take(&store, vec![click(links[1].id, NOW)]).await.unwrap();
    let most = ["l03", "l01", "l04", "l05", "l02", "l00"];
    for limit in [1, 2, 3, 10] {
        assert_eq!(codes(&all(&store, Sight::ALL, &listing(MOST_CLICKS, limit)).await), most, "{limit}");
        let fewest = all(&store, Sight::ALL, &listing(FEWEST_CLICKS, limit)).await;
        assert!(codes(&fewest).iter().rev().eq(&most), "{limit}");
    }
    let first = page(&store, Sight::ALL, listing(MOST_CLICKS, 2)).await;
    assert_eq!(first.next, Some(Place { clicks: Some(3), link: links[1].id }));
}

/// Makes so many links at once, so that they share commits; by ascending ids.
async fn make_many(store: &Store, count: usize, caller: Caller) -> Vec<Link> {
    let mut making = JoinSet::new();
    for number in 0..count {
        let (store, code) = (store.clone(), Code::parse(&format!("m{number}")).unwrap());
        let link = NewLink { code, origin: CodeOrigin::Generated, caller, ..new_link("m") };
        making.spawn(async move { insert(&store, link).await });
    }
    let mut links = making.join_all().await;
    links.sort_unstable_by_key(|link| link.id);
    links
}

/// The ids of links, by clicks and ids.
fn by_clicks(counts: &BTreeMap<LinkId, usize>) -> Vec<LinkId> {
    let mut ids: Vec<_> = counts.iter().map(|(id, clicks)| (*clicks, *id)).collect();
    ids.sort_unstable();
    ids.into_iter().map(|(_, id)| id).collect()
}

async fn ids(store: &Store, sight: Sight, listing: &Listing) -> Vec<LinkId> {
    all(store, sight, listing).await.iter().map(|link| link.id).collect()
}

async fn links_that_were_never_followed_are_found_among_many_that_were(database: Database) {
    let store = database.store().await;
    let owner = insert_key(&store, "owner").await.id;
    let links = make_many(&store, 2_300, caller(owner)).await;
    // Alone at both ends, and between a thousand on either side.
    let clicks = |place: usize| if [0, 1_100, 2_299].contains(&place) { 0 } else { 1 + place % 2 };
    let counts: BTreeMap<_, _> = links.iter().enumerate().map(|(place, link)| (link.id, clicks(place))).collect();
    let all_clicks = counts.iter().flat_map(|(link, count)| (0..*count).map(|_| click(*link, NOW)));
    take(&store, all_clicks.collect()).await.unwrap();
    let mut expected = by_clicks(&counts);
    for sight in [Sight::ALL, Sight { owner: Some(owner), domain: None }] {
        let fewest = page(&store, sight, listing(FEWEST_CLICKS, 4)).await;
        assert_eq!(fewest.links.iter().map(|link| link.id).collect::<Vec<_>>(), expected[..4], "on the first page");
        for limit in [150, 200] {
            assert_eq!(ids(&store, sight, &listing(FEWEST_CLICKS, limit)).await, expected, "{limit}");
        }
    }
    expected.reverse();
    for sight in [Sight::ALL, Sight { owner: Some(owner), domain: None }] {
        assert_eq!(ids(&store, sight, &listing(MOST_CLICKS, 170)).await, expected);
    }
}

async fn the_order_is_right_whoever_counts_and_how_many_at_once(database: Database) {
    let (here, there) = (database.store().await, database.store().await);
    let owner = insert_key(&here, "owner").await.id;
    let links = make_many(&here, 12, caller(owner)).await;
    let mut counting = JoinSet::new();
    for round in 0..20 {
        let store = if round % 2 == 0 { here.clone() } else { there.clone() };
        // The link at each place has that many clicks of each round.
        let clicks: Vec<_> = links.iter().enumerate().flat_map(|(place, link)| clicks(link.id, place)).collect();
        counting.spawn(async move { take(&store, clicks).await.unwrap() });
    }
    let sights = [Sight::ALL, Sight { owner: Some(owner), domain: None }];
    while counting.join_next().await.is_some() {
        for (store, sight) in [(&here, sights[0]), (&there, sights[1])] {
            assert!(page(store, sight, listing(MOST_CLICKS, 12)).await.links.len() <= 12, "nobody waits for ever");
        }
    }
    let expected: Vec<_> = links.iter().map(|link| link.id).collect();
    for (store, sight) in [(&here, sights[0]), (&there, sights[1])] {
        assert_eq!(ids(store, sight, &listing(FEWEST_CLICKS, 5)).await, expected);
    }
    // Older versions know neither of the order nor of owners of counts.
    let (first, table) =
        (links[0].id.0, if matches!(database, Database::Sqlite(_)) { "click_counts" } else { "click_lanes" });
    let lane = if matches!(database, Database::Sqlite(_)) { ("", "") } else { (", lane", ", 3") };
    database.run(&format!("INSERT INTO {table} (link, clicks{}) VALUES ({first}, 1000{})", lane.0, lane.1));
    for sight in sights {
        let most = page(&here, sight, listing(MOST_CLICKS, 1)).await;
        assert_eq!((most.links[0].id, most.next.unwrap().clicks), (links[0].id, Some(1000)));
    }
}

async fn clicks_that_are_removed_change_the_order(database: Database) {
    let store = database.store().await;
    let links = make(&store, 3, Caller::Operator).await;
    let old = Timestamp::from_millis(NOW.as_millis() - 10 * 86_400_000);
    let clicks = |link: &Link, at, count| (0..count).map(|_| click(link.id, at)).collect::<Vec<_>>();
    let taken =
        [clicks(&links[0], old, 9), clicks(&links[1], NOW, 2), clicks(&links[2], old, 4), clicks(&links[2], NOW, 1)];
    take(&store, taken.concat()).await.unwrap();
    assert_eq!(codes(&all(&store, Sight::ALL, &listing(MOST_CLICKS, 2)).await), ["l00", "l02", "l01"]);
    let mut next = None;
    loop {
        let removed = store.remove_clicks_before(NOW, next, 1_000).await.unwrap();
        next = removed.next;
        if next.is_none() {
            break;
        }
    }
    assert_eq!(codes(&all(&store, Sight::ALL, &listing(MOST_CLICKS, 2)).await), ["l01", "l02", "l00"]);
    for link in &links {
        delete(&store, &link.code).await;
    }
    // On PostgreSQL it goes on until all are through who may not have seen that the links are deleted: other tests, too.
    while database.count("clicks_to_remove") > 0 {
        store.remove_clicks_of_deleted(1_000).await.unwrap();
    }
    let ranks = if matches!(database, Database::Sqlite(_)) { "click_counts" } else { "click_ranks" };
    assert_eq!(database.count(ranks), 0, "nothing stays of deleted links");
}
