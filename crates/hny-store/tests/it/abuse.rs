//! Reports of abuse: kept, listed, dealt with.

use hny_domain::{Abuse, AbuseId, AbuseReason, AbuseReport, DomainId, LinkId};
use hny_store::{NewAbuseReport, Store};

use crate::database::{Database, LATER, NOW, code, contract, insert_key};

contract![
    a_report_comes_out_as_it_went_in,
    the_latest_comes_first_and_pages_do_not_overlap,
    a_reporter_says_it_once,
    a_link_has_a_bounded_number_of_open_reports,
    a_report_that_was_dealt_with_stays_so,
];

fn new(link: i64, reporter: &str) -> NewAbuseReport {
    NewAbuseReport {
        link: LinkId(link),
        domain: DomainId::BASE,
        code: code("aB3x9zQ"),
        abuse: Abuse { reason: AbuseReason::Phishing, detail: Some("'; DROP TABLE links; --\nzwölf".to_owned()) },
        reporter: reporter.to_owned(),
        now: NOW,
    }
}

async fn list(store: &Store, is_open: Option<bool>) -> Vec<AbuseReport> {
    store.list_abuse_reports(is_open, None, 1_000).await.unwrap()
}

async fn a_report_comes_out_as_it_went_in(database: Database) {
    let store = database.store().await;
    assert!(list(&store, None).await.is_empty());
    assert!(store.insert_abuse_report(new(7, "somebody")).await.unwrap());
    let reports = list(&database.store().await, Some(true)).await;
    let [report] = reports.as_slice() else { panic!("{reports:?}") };
    let NewAbuseReport { link, domain, code, abuse, reporter, now } = new(7, "somebody");
    assert_eq!((report.link, report.domain, &report.code, &report.abuse), (link, domain, &code, &abuse));
    assert_eq!((&report.reporter, report.reported_at, report.resolved_at), (&reporter, now, None));
}

async fn the_latest_comes_first_and_pages_do_not_overlap(database: Database) {
    let store = database.store().await;
    for link in 1..=5 {
        assert!(store.insert_abuse_report(new(link, "somebody")).await.unwrap());
    }
    let mut links = Vec::new();
    let mut before = None;
    loop {
        let page = store.list_abuse_reports(Some(true), before, 2).await.unwrap();
        let Some(last) = page.last() else { break };
        before = Some(last.id);
        links.extend(page.iter().map(|report| report.link.0));
    }
    assert_eq!(links, [5, 4, 3, 2, 1]);
}

async fn a_reporter_says_it_once(database: Database) {
    let store = database.store().await;
    for (link, reporter, is_kept) in [(1, "a", true), (1, "a", false), (1, "b", true), (2, "a", true)] {
        assert_eq!(store.insert_abuse_report(new(link, reporter)).await.unwrap(), is_kept, "{link} {reporter}");
    }
    // When it was dealt with and goes on, it can be said again.
    let first = list(&store, Some(true)).await.pop().unwrap();
    store.resolve_abuse_report(first.id, None, LATER).await.unwrap();
    assert!(store.insert_abuse_report(new(1, "a")).await.unwrap());
}

async fn a_link_has_a_bounded_number_of_open_reports(database: Database) {
    let store = database.store().await;
    let mut kept = 0;
    for number in 0..60 {
        kept += i32::from(store.insert_abuse_report(new(1, &number.to_string())).await.unwrap());
    }
    assert_eq!(kept, 50);
    assert!(store.insert_abuse_report(new(2, "0")).await.unwrap(), "another link");
}

async fn a_report_that_was_dealt_with_stays_so(database: Database) {
    let store = database.store().await;
    let key = insert_key(&store, "admin").await;
    for link in 1..=2 {
        store.insert_abuse_report(new(link, "somebody")).await.unwrap();
    }
    let first = list(&store, Some(true)).await.pop().unwrap();
    let resolved = store.resolve_abuse_report(first.id, Some(key.id), NOW).await.unwrap().unwrap();
    assert_eq!((resolved.resolved_at, resolved.resolved_by), (Some(NOW), Some(key.id)));
    assert_eq!(store.resolve_abuse_report(first.id, None, LATER).await.unwrap(), Some(resolved.clone()));
    assert_eq!(list(&store, Some(false)).await, [resolved]);
    assert_eq!(list(&store, Some(true)).await.len(), 1);
    assert_eq!(store.resolve_abuse_report(AbuseId(999), None, NOW).await.unwrap(), None);
}
