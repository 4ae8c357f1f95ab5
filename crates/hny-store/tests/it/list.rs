//! Lists of links.

mod by_clicks;

use std::collections::BTreeSet;

use hny_domain::{
    Caller, Code, CodeOrigin, DomainId, Draft, Edit, Filter, KeyId, Link, LinkId, LinkState, Listing, Order, Sight,
    Tag, Timestamp,
};
use hny_store::list::LOOKED_AT;
use hny_store::{LinkPage, ListQuestion, NewLink, Store};
use tokio::task::JoinSet;

use crate::database::{
    Database, NOW, caller, click, code, contract, delete, draft, insert, insert_key, new_link, take,
};

contract![
    every_link_comes_once_in_its_order,
    pages_are_stable_while_links_come_and_go,
    only_what_is_seen_is_listed,
    filters_choose_and_all_of_them_count,
    a_page_looks_at_so_many_links_and_no_more,
    deleted_links_are_in_no_list,
];

const OLDEST: Order = Order { is_descending: false, ..Order::NEWEST };
const MOST_CLICKS: Order = Order { by_clicks: true, is_descending: true };
const FEWEST_CLICKS: Order = Order { by_clicks: true, is_descending: false };

fn listing(order: Order, limit: usize) -> Listing {
    Listing { filter: Filter::default(), order, after: None, limit }
}

async fn page(store: &Store, sight: Sight, listing: Listing) -> LinkPage {
    store.list_links(ListQuestion { sight, listing, now: NOW }).await.unwrap()
}

/// All pages of a list, one behind the other.
async fn all(store: &Store, sight: Sight, listing: &Listing) -> Vec<Link> {
    let (mut links, mut after) = (Vec::new(), listing.after);
    loop {
        let page = page(store, sight, Listing { after, ..listing.clone() }).await;
        assert!(page.links.len() <= listing.limit);
        links.extend(page.links);
        match page.next {
            Some(next) => after = Some(next),
            None => return links,
        }
    }
}

fn codes(links: &[Link]) -> Vec<&str> {
    links.iter().map(|link| link.code.as_str()).collect()
}

/// So many links, `l00` being the oldest.
async fn make(store: &Store, count: usize, caller: Caller) -> Vec<Link> {
    let mut links = Vec::new();
    for number in 0..count {
        links.push(insert(store, NewLink { caller, ..new_link(&format!("l{number:02}")) }).await);
    }
    links
}

async fn every_link_comes_once_in_its_order(database: Database) {
    let store = database.store().await;
    let links = make(&store, 23, Caller::Operator).await;
    for limit in [1, 5, 22, 23, 24, 200] {
        let mut found = all(&store, Sight::ALL, &listing(OLDEST, limit)).await;
        assert_eq!(found, links, "{limit}");
        found.reverse();
        assert_eq!(all(&store, Sight::ALL, &listing(Order::NEWEST, limit)).await, found, "{limit}");
    }
    let full = page(&store, Sight::ALL, listing(OLDEST, 23)).await;
    assert_eq!((full.links.len(), full.next), (23, None), "nothing behind the last link");
}

async fn pages_are_stable_while_links_come_and_go(database: Database) {
    let store = database.store().await;
    let links = make(&store, 30, Caller::Operator).await;
    for order in [OLDEST, Order::NEWEST, MOST_CLICKS, FEWEST_CLICKS] {
        let (mut seen, mut after, mut round) = (Vec::new(), None, 0);
        loop {
            let page = page(&store, Sight::ALL, Listing { after, ..listing(order, 4) }).await;
            seen.extend(page.links.iter().map(|link| link.id));
            let Some(next) = page.next else { break };
            // One goes that was seen, one comes, and one is changed that will be seen.
            let extra = insert(&store, new_link(&format!("x{round}"))).await;
            store
                .edit_link(DomainId::BASE, &code("l15"), Edit::default(), Caller::Operator, NOW)
                .await
                .unwrap()
                .link()
                .unwrap();
            delete(&store, &extra.code).await;
            (after, round) = (Some(next), round + 1);
        }
        let there = links.iter().map(|link| link.id).collect::<BTreeSet<_>>();
        let found: Vec<_> = seen.iter().copied().filter(|id| there.contains(id)).collect();
        assert_eq!(found.len(), 30, "each once, {order:?}");
        assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), there, "{order:?}");
    }
}

async fn only_what_is_seen_is_listed(database: Database) {
    let store = database.store().await;
    let (mine, yours) = (insert_key(&store, "mine").await.id, insert_key(&store, "yours").await.id);
    let tag = Tag::parse("t").unwrap();
    for (text, owner) in [("a", Some(mine)), ("b", Some(yours)), ("c", None), ("d", Some(mine))] {
        let draft = Draft { tags: vec![tag.clone()], ..draft("https://example.com/") };
        let caller = owner.map_or(Caller::Operator, caller);
        insert(&store, NewLink { draft, caller, ..new_link(text) }).await;
    }
    let of = |owner: Option<KeyId>, domain| Sight { owner, domain };
    for order in [OLDEST, FEWEST_CLICKS] {
        for tag in [None, Some(tag.clone())] {
            let filter = Filter { tag, ..Filter::default() };
            let listing = Listing { filter, ..listing(order, 1) };
            for (sight, expected) in [
                (Sight::ALL, &["a", "b", "c", "d"][..]),
                (of(Some(mine), None), &["a", "d"]),
                (of(Some(yours), Some(DomainId::BASE)), &["b"]),
                (of(Some(KeyId(99)), None), &[]),
                (of(None, Some(DomainId(7))), &[]),
                (of(Some(mine), Some(DomainId(7))), &[]),
            ] {
                assert_eq!(codes(&all(&store, sight, &listing).await), expected, "{sight:?} {listing:?}");
            }
        }
    }
}

/// Where the milliseconds of a Snowflake id begin: 2020.
const EPOCH_MS: i64 = 1_577_836_800_000;

/// A primary key as one is made at that time.
fn id_of(ms: i64, number: i64) -> LinkId {
    LinkId(((ms - EPOCH_MS) << 22) + number)
}

async fn filters_choose_and_all_of_them_count(database: Database) {
    let store = database.store().await;
    let day = 86_400_000;
    for (number, text) in ["a", "b", "c"].into_iter().enumerate() {
        let number = i64::try_from(number).unwrap();
        let now = Timestamp::from_millis(NOW.as_millis() + number * 10 * day);
        let tags = if text == "b" { vec![] } else { vec![Tag::parse("news").unwrap()] };
        let draft = Draft {
            tags,
            active: text != "c",
            title: Some(format!("Title {text}")),
            ..draft(&format!("https://example.com/{number}"))
        };
        insert(&store, NewLink { id: id_of(now.as_millis(), number), now, draft, ..new_link(text) }).await;
    }
    let at = |days: i64| Some(Timestamp::from_millis(NOW.as_millis() + days * day));
    let none = Filter::default;
    let tag = |text| Some(Tag::parse(text).unwrap());
    for (filter, expected) in [
        (none(), &["a", "b", "c"][..]),
        (Filter { tag: tag("news"), ..none() }, &["a", "c"]),
        (Filter { tag: tag("News"), ..none() }, &[]),
        (Filter { state: Some(LinkState::Disabled), ..none() }, &["c"]),
        (Filter { tag: tag("news"), state: Some(LinkState::Active), ..none() }, &["a"]),
        (Filter { created_from: at(10), ..none() }, &["b", "c"]),
        (Filter { created_to: at(10), ..none() }, &["a"]),
        (Filter { created_from: at(10), created_to: at(20), ..none() }, &["b"]),
        (Filter { search: Some("title".to_owned()), ..none() }, &["a", "b", "c"]),
        (Filter { search: Some("example.com/1".to_owned()), ..none() }, &["b"]),
        (Filter { search: Some("%".to_owned()), ..none() }, &[]),
        (Filter { search: Some("'; drop table links; --".to_owned()), ..none() }, &[]),
        (Filter { search: Some("title".to_owned()), tag: tag("news"), created_from: at(1), ..none() }, &["c"]),
    ] {
        for order in [OLDEST, FEWEST_CLICKS] {
            let listing = Listing { filter: filter.clone(), ..listing(order, 2) };
            assert_eq!(codes(&all(&store, Sight::ALL, &listing).await), expected, "{listing:?}");
        }
    }
}

async fn a_page_looks_at_so_many_links_and_no_more(database: Database) {
    let store = database.store().await;
    let draft = Draft { tags: vec![Tag::parse("hay").unwrap()], ..draft("https://example.com/") };
    let needle = insert(&store, NewLink { draft: draft.clone(), ..new_link("needle") }).await;
    // Many at a time, so that they share commits.
    let mut making = JoinSet::new();
    for number in 0..LOOKED_AT {
        let (store, code) = (store.clone(), Code::parse(&format!("h{number}")).unwrap());
        let link = NewLink { code, origin: CodeOrigin::Generated, draft: draft.clone(), ..new_link("h") };
        making.spawn(async move { store.insert_link(link).await.unwrap() });
    }
    assert_eq!(making.join_all().await.len(), LOOKED_AT);
    let search = Filter { search: Some("needle".to_owned()), ..Filter::default() };
    let tagged = Filter { tag: Some(Tag::parse("hay").unwrap()), ..search.clone() };
    for (order, filter) in
        [(Order::NEWEST, &search), (MOST_CLICKS, &search), (Order::NEWEST, &tagged), (MOST_CLICKS, &tagged)]
    {
        let asked = Listing { filter: filter.clone(), ..listing(order, 5) };
        let first = page(&store, Sight::ALL, asked.clone()).await;
        assert!(first.links.is_empty() && first.next.is_some(), "it is behind the ten thousand");
        let second = page(&store, Sight::ALL, Listing { after: first.next, ..asked }).await;
        assert_eq!((second.links, second.next), (vec![needle.clone()], None));
    }
}

async fn deleted_links_are_in_no_list(database: Database) {
    let store = database.store().await;
    let owner = insert_key(&store, "owner").await.id;
    let links = make(&store, 3, caller(owner)).await;
    take(&store, vec![click(links[1].id, NOW)]).await.unwrap();
    delete(&store, &links[1].code).await;
    let own = Sight { owner: Some(owner), domain: None };
    for sight in [Sight::ALL, own] {
        for order in [OLDEST, FEWEST_CLICKS] {
            assert_eq!(codes(&all(&store, sight, &listing(order, 1)).await), ["l00", "l02"], "{sight:?} {order:?}");
        }
    }
}
