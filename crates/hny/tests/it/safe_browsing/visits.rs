//! Links whose target becomes suspected after they were made.

use hny_testkit::{Client, SafeBrowsing};
use serde_json::json;

use super::{DECEPTION, EVIL, GOOD, asking, becomes_suspected, flagged, provider};
use crate::document::assert_problem;
use crate::instant::until_some;
use crate::pages::assert_page;
use crate::site::Site;

#[test]
fn a_link_that_becomes_suspected_shows_a_warning() {
    let provider = provider();
    let site = Site::start(&asking(&provider).env("HNY_METRICS_LISTEN", "127.0.0.1:0"));
    let mut visitor = site.visitor();
    let path = site.admin().link(&json!({"originalUrl": EVIL}));
    assert_eq!(visitor.get(&path).status, 302);
    becomes_suspected(&site, &provider);
    let page = flagged(&mut visitor, &path);
    assert_page(&page);
    assert_eq!((page.headers("location").len(), page.header("cache-control")), (0, Some("private, no-store")));
    assert_eq!((page.header("x-robots-tag"), page.header("refresh")), (Some("noindex"), None));
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.starts_with("default-src 'none'; style-src 'self'") && policy.contains("frame-ancestors 'none'"));
    let text = page.text();
    for words in ["suspected deceptive page", "may be", EVIL, "Advisory provided by Google", "No protection is perfect"]
    {
        assert!(text.contains(words), "{words} in {text}");
    }
    assert!(text.contains("<a href=\"https://developers.google.com/safe-browsing/v4/advisory\""), "{text}");
    assert_eq!(text.matches(&format!("<a href=\"{EVIL}\" rel=\"nofollow noreferrer noopener\">")).count(), 1, "{text}");
    assert!(!text.contains("<script") && !text.contains("http-equiv"), "{text}");
    let mut metrics = Client::connect(site.hny().metrics_address());
    let metrics = metrics.get("/metrics");
    for series in ["hny_visits_total{outcome=\"flagged\"}", "hny_safe_browsing_lookups_total{outcome=\"answered\"}"] {
        let value = metrics.text().lines().find_map(|line| line.strip_prefix(series)).unwrap_or_default();
        assert!(value.trim().parse::<u64>().unwrap() > 0, "{series}{value}");
    }
}

#[test]
fn everybody_is_warned_alike_and_nobody_is_sent_on() {
    let provider = provider();
    let site = Site::start(&asking(&provider));
    let mut visitor = site.visitor();
    let path = site.admin().link(&json!({"originalUrl": EVIL, "forwardPath": true}));
    becomes_suspected(&site, &provider);
    let page = flagged(&mut visitor, &path);
    for headers in [
        &[("User-Agent", "Googlebot/2.1 (+http://www.google.com/bot.html)")][..],
        &[
            ("User-Agent", "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"),
            ("Accept", "text/html"),
        ],
        &[("Accept", "application/json")],
        &[("Sec-Purpose", "prefetch")],
        // By the other road.
        &[("Transfer-Encoding", "chunked")],
    ] {
        let body: &[u8] = if headers[0].0 == "Transfer-Encoding" { b"0\r\n\r\n" } else { b"" };
        let answer = visitor.request("GET", &path, headers, body);
        assert_eq!((answer.status, answer.headers("location").len()), (200, 0), "{headers:?}");
        assert_eq!(answer.text(), page.text(), "{headers:?}");
        visitor = site.visitor();
    }
    for target in [format!("{path}/"), format!("{path}?q=1"), format!("{path}/further/on")] {
        assert_eq!(visitor.get(&target).text(), page.text(), "{target}");
    }
    let head = visitor.head(&path);
    assert_eq!((head.status, head.header("content-length")), (200, page.header("content-length")));
    assert!(head.body.is_empty());
    assert_problem(&visitor.request("POST", &path, &[], b""), 405, "method-not-allowed");
}

#[test]
fn the_preview_of_a_flagged_link_is_the_warning() {
    let provider = provider();
    let site = Site::start(&asking(&provider));
    let (mut admin, mut visitor) = (site.admin(), site.visitor());
    let path = admin.link(&json!({"originalUrl": EVIL}));
    assert!(visitor.get(&format!("{path}+")).text().contains("Follow the link"));
    becomes_suspected(&site, &provider);
    let preview = visitor.get(&format!("{path}+"));
    assert_eq!(preview.text(), flagged(&mut visitor, &path).text());
    assert!(preview.text().contains("suspected deceptive page") && !preview.text().contains("Follow the link"));
    let good = admin.link(&json!({"originalUrl": GOOD}));
    assert!(visitor.get(&format!("{good}+")).text().contains("Follow the link"));
}

#[test]
fn a_warning_is_no_click_and_ends_when_the_page_is_suspected_no_more() {
    let provider = provider();
    let mut site = Site::start(&asking(&provider));
    let mut visitor = site.visitor();
    let path = site.admin().link(&json!({"originalUrl": EVIL}));
    provider.list("evil.example/", DECEPTION);
    let mut clicks = 0;
    let mut follow = |visitor: &mut Client| {
        let status = visitor.get(&path).status;
        clicks += u32::from(status == 302);
        status
    };
    until_some(|| (follow(&mut visitor) == 200).then_some(()));
    provider.clear();
    until_some(|| (follow(&mut visitor) == 302).then_some(()));
    site.stop();
    let said = site.hny().program().run(["stats", &path[1..], "--json"]);
    let stats: serde_json::Value = serde_json::from_slice(&said.stdout).unwrap();
    assert_eq!(stats["total"]["clicks"], clicks, "those that were sent on are counted, and no others");
}

#[test]
fn a_suspected_end_of_a_link_leads_nowhere() {
    let provider = provider();
    let site = Site::start(&asking(&provider));
    let (mut admin, mut visitor) = (site.admin(), site.visitor());
    let path = admin.link(&json!({"originalUrl": GOOD, "expiredUrl": EVIL, "maxClicks": 1}));
    assert_eq!(visitor.get(&path).status, 302);
    assert_eq!(visitor.get(&path).header("location"), Some(EVIL));
    becomes_suspected(&site, &provider);
    assert_problem(&visitor.get(&path), 410, "link-gone");
}

#[test]
fn what_a_visitor_adds_is_told_to_nobody() {
    let provider = SafeBrowsing::start();
    let site = Site::start(&asking(&provider));
    let mut visitor = site.visitor();
    let path = site.admin().link(&json!({"originalUrl": GOOD, "forwardPath": true}));
    until_some(|| provider.was_asked_for("good.example/").then_some(()));
    let asked = provider.prefixes();
    for target in [format!("{path}?mail=me"), format!("{path}/my/own/path"), path.clone()] {
        assert_eq!(visitor.get(&target).status, 302);
    }
    // Had the visits put questions, they would have done so before this one, which is heard.
    let other = site.admin().link(&json!({"originalUrl": "https://other.example/"}));
    until_some(|| {
        visitor.get(&other);
        provider.was_asked_for("other.example/").then_some(())
    });
    let others = provider.prefixes().len() - asked.len();
    assert_eq!(others, 1, "the host of the other: {:?}", provider.asked());
}
