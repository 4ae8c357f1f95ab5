use hny_domain::LinkId;

use super::*;
use crate::recorder::seen::{Visited, VisitorFields};
use crate::spool;

fn seen() -> Seen {
    let fields = VisitorFields {
        agent: b"Agent/1.0",
        referrer: b"https://user:word@Example.com:8443/page?secret=1#part",
        languages: b"de-CH,de;q=0.9,en;q=0.8",
    };
    Seen::new(Visited { network: "131.111.8.46".parse().unwrap(), fields, ..Visited::of(9) })
}

fn anonymiser(kept: Kept) -> Anonymiser {
    Anonymiser { keys: VisitorKeys::new([7; 32]), countries: Countries::compiled_in(), kept }
}

fn record(kept: Kept, seen: &Seen) -> Record<'_> {
    anonymiser(kept).record(seen, &mut None)
}

#[test]
fn what_is_kept_is_what_statistics_need() {
    let seen = seen();
    let record = record(Kept::ALL, &seen);
    assert_eq!((record.link, record.at, record.kind), (LinkId(9), seen.at, seen.kind));
    assert_eq!((record.agent, record.referrer, record.language), (&b"Agent/1.0"[..], &b"Example.com"[..], &b"de"[..]));
    assert!(record.visitor.is_some() && record.country == Some(*b"GB"));
}

#[test]
fn each_part_can_be_switched_off() {
    let seen = seen();
    let all = record(Kept::ALL, &seen);
    let without = |kept| record(kept, &seen);
    assert_eq!(without(Kept { visitor: false, ..Kept::ALL }), Record { visitor: None, ..all });
    assert_eq!(without(Kept { country: false, ..Kept::ALL }), Record { country: None, ..all });
    assert_eq!(without(Kept { referrer: false, ..Kept::ALL }), Record { referrer: b"", ..all });
    assert_eq!(without(Kept { language: false, ..Kept::ALL }), Record { language: b"", ..all });
    let none = Record { visitor: None, country: None, agent: b"", referrer: b"", language: b"", ..all };
    assert_eq!(without(Kept::NOTHING), none);
    for kept in [Kept { os: true, ..Kept::NOTHING }, Kept { device: true, ..Kept::NOTHING }] {
        assert_eq!(without(kept), Record { agent: b"Agent/1.0", ..none });
    }
}

#[test]
fn visits_about_midnight_have_the_keys_of_their_days() {
    const DAY: i64 = 86_400_000;
    let at = |millis| Seen::new(Visited { at: Timestamp::from_millis(20_000 * DAY + millis), ..Visited::of(1) });
    let visits = [-2, -1, 0, 1, -1].map(at);
    let anonymiser = anonymiser(Kept::ALL);
    let together: Vec<_> = anonymiser.records(&visits).map(|record| record.visitor).collect();
    let alone: Vec<_> = visits.iter().map(|seen| record(Kept::ALL, seen).visitor).collect();
    assert_eq!(together, alone);
    assert_ne!(together[1], together[2]);
}

#[test]
fn no_address_and_no_query_is_written() {
    let mut bytes = Vec::new();
    spool::record::write(&record(Kept::ALL, &seen()), &mut bytes);
    let has = |part: &[u8]| bytes.windows(part.len()).any(|window| window == part);
    assert!(!has(&[131, 111, 8, 46]) && !has(&[46, 8, 111, 131]) && !has(b"131.111"));
    assert!(!has(b"secret") && !has(b"page") && !has(b"word") && has(b"Example.com"));
}

#[test]
fn a_referrer_is_its_host_or_nothing() {
    for (url, expected) in [
        ("https://example.com", "example.com"),
        ("http://example.com:80/", "example.com"),
        ("https://example.com?q", "example.com"),
        ("https://a@b@example.com/", "example.com"),
        ("android-app://com.example.mail/", "com.example.mail"),
        ("http://[2001:db8::1]:8080/x", "[2001:db8::1]"),
        ("https://xn--bcher-kva.example/", "xn--bcher-kva.example"),
        ("", ""),
        ("example.com/page", ""),
        ("https://", ""),
        ("https://b\u{fc}cher.example/", ""),
        ("https://=cmd()/", ""),
        ("about:blank", ""),
    ] {
        assert_eq!(host(url.as_bytes()), expected.as_bytes(), "{url}");
    }
    assert_eq!(host(b"https://\xff\0/"), b"");
    assert_eq!(host(format!("https://{}/", "x".repeat(254)).as_bytes()), b"");
}

#[test]
fn a_language_is_the_first_one_s_primary_subtag() {
    for (languages, expected) in [
        ("de", "de"),
        ("de-CH,de;q=0.9", "de"),
        (" en-US", "en"),
        ("zh_Hant", "zh"),
        ("gsw;q=0.5", "gsw"),
        ("*", ""),
        ("", ""),
        ("e", ""),
        ("=cmd", ""),
        ("abcdefghi", ""),
    ] {
        assert_eq!(language(languages.as_bytes()), expected.as_bytes(), "{languages}");
    }
}
