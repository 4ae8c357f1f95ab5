use std::future::ready;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use hny_domain::{Click, ClickId, LinkId, Timestamp, Traits, VisitKind};
use hny_wire::{Problem, ProblemKind};
use http_body_util::BodyExt;

use super::*;

fn click(number: u64) -> Click {
    Click {
        id: ClickId(number),
        link: LinkId(1),
        at: Timestamp::from_millis(0),
        kind: VisitKind::Person,
        visitor: None,
        traits: Traits::default(),
    }
}

fn page(numbers: std::ops::Range<u64>, has_more: bool) -> Page {
    let clicks: Vec<_> = numbers.map(click).collect();
    let next = clicks.last().filter(|_| has_more).map(Cursor::of);
    Page { clicks, next }
}

fn failure() -> Failure {
    Failure(Problem::new(ProblemKind::Unavailable, "gone"))
}

#[tokio::test]
async fn pages_are_fetched_as_they_are_taken() {
    let fetched = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&fetched);
    let fetch = move |after: Option<Cursor>| {
        assert_eq!(after.unwrap().to_string(), format!("0-{:x}", 10 * count.load(Ordering::SeqCst) + 9));
        let page = count.fetch_add(1, Ordering::SeqCst) as u64 + 1;
        ready(Ok(self::page(10 * page..10 * page + 10, page < 3)))
    };
    let mut export = Export::new(Lines::Csv, page(0..10, true), fetch);
    let mut lines = Vec::new();
    for taken in 1.. {
        let Some(frame) = export.frame().await else { break };
        lines.push(String::from_utf8(frame.unwrap().into_data().unwrap().to_vec()).unwrap().lines().count());
        assert!(fetched.load(Ordering::SeqCst) <= taken, "it is never more than one page ahead");
    }
    assert_eq!(lines, [11, 10, 10, 10]);
}

#[tokio::test]
async fn a_failure_on_the_way_is_no_end() {
    for lines in [Lines::Csv, Lines::Json] {
        let mut export = Export::new(lines, page(0..10, true), |_| ready(Err(failure())));
        assert!(export.frame().await.unwrap().is_ok());
        assert!(export.frame().await.unwrap().is_err(), "whoever reads the body must see that it broke");
    }
}

#[tokio::test]
async fn what_is_empty_has_no_lines() {
    let nothing = |_| ready(Ok(Page::default()));
    let csv = Export::new(Lines::Csv, Page::default(), nothing).collect().await.unwrap().to_bytes();
    assert_eq!(csv, csv::HEADER);
    let json = Export::new(Lines::Json, Page::default(), nothing).collect().await.unwrap().to_bytes();
    assert_eq!(json, "");
}
