use hny_domain::{Filter, Listing, Sight, Timestamp};

use super::*;
use crate::list_sql::Dialect;

fn statements() -> &'static Statements {
    static STATEMENTS: std::sync::LazyLock<Statements> = std::sync::LazyLock::new(|| {
        Statements::of(&Dialect {
            columns: "*",
            owned: "links",
            tagged: "link_tags",
            ranks: "ranks AS c",
            owned_ranks: "ranks AS c",
            is_live: "",
            of_ranks: "",
        })
    });
    &STATEMENTS
}

fn fewest_clicks() -> ListQuestion {
    let order = Order { by_clicks: true, is_descending: false };
    let listing = Listing { filter: Filter::default(), order, after: None, limit: 50 };
    ListQuestion { sight: Sight::ALL, listing, now: Timestamp::from_millis(0) }
}

/// Has the next step, which asks for a number, find a link; the number of links that it passes over.
fn find_horizon(reading: &mut Reading<'_>, link: Option<i64>) -> usize {
    let step = reading.next().unwrap();
    assert_eq!(step.answer, Answer::Number);
    let Some(Argument::Number(Some(skipped))) = step.arguments.last() else { panic!("{step:?}") };
    reading.take_number(link);
    usize::try_from(*skipped).unwrap() + 1
}

/// Has the next step, which asks for links, find none.
fn find_nothing(reading: &mut Reading<'_>) {
    let Answer::Links(wanted) = reading.next().unwrap().answer else { panic!("links are asked for") };
    reading.take_links(wanted, Vec::new());
}

#[test]
fn who_has_looked_far_enough_goes_on_with_the_next_page() {
    let question = fewest_clicks();
    let mut reading = Reading::new(&question, statements());
    assert_eq!(find_horizon(&mut reading, Some(1_000)), NEAR);
    find_nothing(&mut reading);
    assert_eq!(find_horizon(&mut reading, Some(51_000)), FAR);
    find_nothing(&mut reading);
    assert!(reading.next().is_none());
    let next = Place { clicks: Some(0), link: LinkId(51_000) };
    assert_eq!(reading.finish(), LinkPage { links: Vec::new(), next: Some(next) });
}

#[test]
fn behind_the_last_link_that_was_never_followed_come_the_others() {
    let question = fewest_clicks();
    let mut reading = Reading::new(&question, statements());
    find_horizon(&mut reading, None);
    find_nothing(&mut reading);
    let step = reading.next().unwrap();
    assert_eq!(step.sql, statements().by_clicks.choose(Among::All, question.listing.order));
    find_nothing(&mut reading);
    assert!(reading.next().is_none() && reading.finish().next.is_none());
}
