use super::*;
use crate::{Code, CodeOrigin, DomainId, Link, LinkId, PasswordHash, Target, Threat, Version};

fn visit(query: Option<&str>) -> Visit<'_> {
    Visit { query, ..VISIT }
}

const VISIT: Visit<'_> = Visit {
    rest: None,
    query: None,
    kind: VisitKind::Person,
    is_unlocked: false,
    claim: Claim::None,
    hazard: Hazard::None,
};

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
        max_clicks: None,
        clicks_used: 0,
        aliases: Vec::new(),
        redirect_status: None,
        forward_query: None,
        forward_path: false,
        expired_url: None,
        password: None,
        private: false,
        title: None,
        tags: Vec::new(),
        note: None,
        active: true,
        version: Version(1),
    }
}

fn at(offset: i64) -> Timestamp {
    Timestamp::from_millis(NOW.as_millis() + offset)
}

/// The word for a decision, so that the tables below read as tables.
fn word(link: Option<&Link>) -> &'static str {
    word_for(link, VISIT)
}

fn word_for(link: Option<&Link>, visit: Visit<'_>) -> &'static str {
    match decide(link.map(Link::lead), visit, DEFAULTS, NOW) {
        Decision::Go { .. } => "go",
        Decision::Claim => "claim",
        Decision::TooEarly => "too early",
        Decision::AskPassword => "ask",
        Decision::Withhold => "withhold",
        Decision::Gone { .. } => "gone",
        Decision::Absent => "absent",
        Decision::Blocked => "blocked",
        Decision::Flagged { .. } => "flagged",
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

#[test]
fn every_click_of_a_limited_link_is_claimed_first() {
    let limited = Link { max_clicks: Some(1), clicks_used: 1, ..link() };
    let visit = |kind, claim| Visit { kind, claim, ..VISIT };
    for kind in VisitKind::ALL {
        let expected = if kind == VisitKind::Prefetch { "too early" } else { "claim" };
        assert_eq!(word_for(Some(&limited), visit(kind, Claim::None)), expected, "{kind:?}");
        assert_eq!(word_for(Some(&limited), visit(kind, Claim::Refused)), "gone", "{kind:?}");
    }
    let granted = visit(VisitKind::Person, Claim::Granted);
    assert_eq!(word_for(Some(&limited), granted), "go");
    assert!(matches!(
        decide(Some(limited.lead()), granted, DEFAULTS, NOW),
        Decision::Go { until: Some(until), .. } if until == NOW
    ));
    // Whatever was claimed, a link that is over is over.
    assert_eq!(word_for(Some(&Link { expires_at: Some(NOW), ..limited.clone() }), granted), "gone");
    assert_eq!(word_for(Some(&Link { active: false, ..limited }), granted), "absent");
}

#[test]
fn a_password_comes_before_a_claim_and_after_the_end() {
    let locked = Link { password: Some(PasswordHash::new("$")), max_clicks: Some(1), ..link() };
    assert_eq!(word(Some(&locked)), "ask");
    assert_eq!(word_for(Some(&locked), Visit { is_unlocked: true, ..VISIT }), "claim");
    assert_eq!(word(Some(&Link { expires_at: Some(NOW), ..locked.clone() })), "gone");
    let unlimited = Link { max_clicks: None, ..locked };
    let decision = decide(Some(unlimited.lead()), Visit { is_unlocked: true, ..VISIT }, DEFAULTS, NOW);
    assert!(matches!(decision, Decision::Go { until: Some(NOW), .. }));
}

#[test]
fn who_only_looks_at_a_private_link_learns_nothing_of_it() {
    let private = Link { private: true, ..link() };
    let limited = Link { max_clicks: Some(1), ..private.clone() };
    let locked = Link { password: Some(PasswordHash::new("$")), ..private.clone() };
    for (kind, word, of_limited) in [
        (VisitKind::Person, "go", "claim"),
        // It is the browser of somebody who has the link, and may show what it got when they follow it.
        (VisitKind::Prefetch, "go", "too early"),
        (VisitKind::Robot, "withhold", "withhold"),
        (VisitKind::Probe, "withhold", "withhold"),
    ] {
        let visit = Visit { kind, ..VISIT };
        assert_eq!((word_for(Some(&private), visit), word_for(Some(&limited), visit)), (word, of_limited), "{kind:?}");
        assert_eq!(word_for(Some(&locked), visit), "ask", "{kind:?}");
        assert_eq!(word_for(Some(&locked), Visit { is_unlocked: true, ..visit }), "go", "{kind:?}");
        assert_eq!(word_for(Some(&Link { active: false, ..private.clone() }), visit), "absent", "{kind:?}");
        assert_eq!(word_for(Some(&Link { expires_at: Some(NOW), ..private.clone() }), visit), "gone", "{kind:?}");
    }
    let blocked = Visit { kind: VisitKind::Robot, hazard: Hazard::Blocked, ..VISIT };
    assert_eq!(word_for(Some(&private), blocked), "withhold", "nor what kind of place it is");
}

#[test]
fn a_rest_of_the_path_is_handed_on_where_the_link_says_so() {
    let rest = |rest| Visit { rest: Some(rest), query: Some("b=2"), ..VISIT };
    assert_eq!(word_for(Some(&link()), rest("x")), "absent");
    let link = Link { forward_path: true, ..link() };
    let Decision::Go { location, .. } = decide(Some(link.lead()), rest("x/../http://host//y"), DEFAULTS, NOW) else {
        panic!("it forwards paths");
    };
    assert_eq!(location, "https://example.com/p/x/../http://host//y?a=1&b=2#frag");
}

#[test]
fn a_link_that_is_over_says_where_its_visitors_go() {
    let over = Target::parse("https://example.com/over").unwrap();
    let link = Link { expires_at: Some(NOW), expired_url: Some(over), ..link() };
    let decision = decide(Some(link.lead()), VISIT, DEFAULTS, NOW);
    assert_eq!(decision, Decision::Gone { expired_url: Some("https://example.com/over") });
}

#[test]
fn a_hazard_stands_in_the_way_of_a_link_that_would_lead_on() {
    let blocked = Visit { hazard: Hazard::Blocked, ..VISIT };
    let suspicion = Suspicion { threat: Threat::Malware, advisory: "https://example.com/advisory" };
    let flagged = Visit { hazard: Hazard::Suspected(suspicion), ..VISIT };
    let limited = Link { max_clicks: Some(1), ..link() };
    let locked = Link { password: Some(PasswordHash::new("$")), ..link() };
    for link in [&link(), &limited] {
        assert_eq!((word_for(Some(link), blocked), word_for(Some(link), flagged)), ("blocked", "flagged"));
    }
    assert_eq!(word_for(Some(&locked), blocked), "ask", "who has no password learns nothing");
    assert_eq!(word_for(Some(&locked), Visit { is_unlocked: true, ..blocked }), "blocked");
    assert_eq!(word_for(Some(&Link { expires_at: Some(NOW), ..link() }), blocked), "gone");
    assert_eq!(word_for(Some(&Link { active: false, ..link() }), flagged), "absent");
    let private = Link { private: true, ..link() };
    for (link, is_told) in [(&link(), true), (&limited, false), (&private, false), (&locked, false)] {
        let decision = decide(Some(link.lead()), Visit { is_unlocked: true, ..flagged }, DEFAULTS, NOW);
        let target = is_told.then_some(link.target.as_str());
        assert_eq!(decision, Decision::Flagged { target, suspicion });
    }
}
