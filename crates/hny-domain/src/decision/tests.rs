use super::*;
use crate::{Code, CodeOrigin, DomainId, Link, LinkId, Target, Version, VisitKind};

fn visit(query: Option<&str>) -> Visit<'_> {
    Visit { query, kind: VisitKind::Person }
}

const NOW: Timestamp = Timestamp::from_millis(1_000_000);
const DEFAULTS: Defaults = Defaults { redirect_status: RedirectStatus::Found, forward_query: true };

fn link() -> Link {
    Link {
        id: LinkId(1),
        domain: DomainId::BASE,
        code: Code::parse("abc").unwrap(),
        origin: CodeOrigin::Custom,
        target: Target::parse("https://example.com/p?a=1#frag").unwrap(),
        owner: None,
        created_at: NOW,
        updated_at: NOW,
        valid_from: None,
        expires_at: None,
        redirect_status: None,
        forward_query: None,
        private: false,
        title: None,
        active: true,
        version: Version(1),
    }
}

fn at(offset: i64) -> Timestamp {
    Timestamp::from_millis(NOW.as_millis() + offset)
}

/// The word for a decision, so that the table below reads as a table.
fn word(link: Option<&Link>) -> &'static str {
    match decide(link.map(Link::lead), visit(None), DEFAULTS, NOW) {
        Decision::Go { .. } => "go",
        Decision::Gone => "gone",
        Decision::Absent => "absent",
    }
}

#[test]
fn the_table() {
    assert_eq!(word(None), "absent");
    // active, valid from, expires at → decision; times are milliseconds from now
    let table: &[(bool, Option<i64>, Option<i64>, &str)] = &[
        (true, None, None, "go"),
        (true, None, Some(1), "go"),
        (true, None, Some(0), "gone"),
        (true, None, Some(-1), "gone"),
        (true, Some(0), None, "go"),
        (true, Some(-1), None, "go"),
        (true, Some(1), None, "absent"),
        (true, Some(1), Some(2), "absent"),
        (true, Some(-2), Some(-1), "gone"),
        (true, Some(2), Some(-1), "gone"),
        (false, None, None, "absent"),
        (false, None, Some(-1), "absent"),
        (false, Some(1), None, "absent"),
    ];
    for &(active, from, end, expected) in table {
        let link = Link { active, valid_from: from.map(at), expires_at: end.map(at), ..link() };
        assert_eq!(word(Some(&link)), expected, "active {active}, valid from {from:?}, expires at {end:?}");
    }
}

#[test]
fn the_link_beats_the_default_status() {
    let statuses = [
        (None, RedirectStatus::PermanentRedirect, 308),
        (Some(RedirectStatus::Found), RedirectStatus::PermanentRedirect, 302),
        (Some(RedirectStatus::MovedPermanently), RedirectStatus::Found, 301),
        (Some(RedirectStatus::TemporaryRedirect), RedirectStatus::Found, 307),
    ];
    for (own, default, expected) in statuses {
        let link = Link { redirect_status: own, expires_at: Some(at(5)), ..link() };
        let defaults = Defaults { redirect_status: default, ..DEFAULTS };
        let Decision::Go { status, until, .. } = decide(Some(link.lead()), visit(None), defaults, NOW) else {
            panic!("an active link must go");
        };
        assert_eq!((status.as_u16(), until), (expected, Some(at(5))));
    }
}

#[test]
fn a_query_is_handed_on_where_the_link_or_else_the_setting_says_so() {
    let table = [
        (None, true, Some("b=2"), "https://example.com/p?a=1&b=2#frag"),
        (None, false, Some("b=2"), "https://example.com/p?a=1#frag"),
        (Some(true), false, Some("a=9"), "https://example.com/p?a=1&a=9#frag"),
        (Some(false), true, Some("b=2"), "https://example.com/p?a=1#frag"),
        (None, true, Some(""), "https://example.com/p?a=1#frag"),
        (None, true, None, "https://example.com/p?a=1#frag"),
    ];
    for (own, default, query, expected) in table {
        let link = Link { forward_query: own, ..link() };
        let defaults = Defaults { forward_query: default, ..DEFAULTS };
        let decision = decide(Some(link.lead()), visit(query), defaults, NOW);
        assert!(
            matches!(decision, Decision::Go { location, .. } if location == expected),
            "{own:?} {default} {query:?}"
        );
    }
}
