//! Links to suspected pages are not made, by whichever way they are asked for.

use hny_testkit::{Mood, Response, SafeBrowsing};
use serde_json::{Value, json};

use super::{DECEPTION, EVIL, GOOD, asking, provider};
use crate::caller::Caller;
use crate::document::{assert_fields, assert_problem};
use crate::instant::until_some;
use crate::site::Site;

/// Asks until the word is there: where the machine is too busy for an answer in 300 ms the link is made, and the next one is refused.
fn refused(mut ask: impl FnMut() -> Response) -> Response {
    until_some(|| Some(ask()).filter(|answer| answer.status >= 400))
}

fn assert_suspected(answer: &Response, pointer: &str) {
    assert_fields(answer, 400, "target-suspected", &[pointer]);
    for word in ["suspected", "phishing", "dvisory provided by Google", "https://developers.google.com/safe-browsing/"]
    {
        assert!(answer.text().contains(word), "{}", answer.text());
    }
}

fn evil_site() -> (SafeBrowsing, Site) {
    let provider = SafeBrowsing::start();
    provider.list("evil.example/", DECEPTION);
    let site = Site::start(&asking(&provider));
    (provider, site)
}

#[test]
fn a_link_to_a_suspected_page_is_made_by_no_way() {
    let (_provider, site) = evil_site();
    let (mut admin, mut anyone) = (site.admin(), Caller::without_key(site.visitor()));
    let fields = json!({"originalUrl": EVIL});
    for path in ["/api/v1/links", "/api/shorten", "/shorten"] {
        assert_suspected(&refused(|| admin.send("POST", path, &fields)), "#/originalUrl");
        assert_suspected(&refused(|| anyone.send("POST", path, &fields)), "#/originalUrl");
    }
    let over = json!({"originalUrl": GOOD, "expiredUrl": EVIL});
    assert_suspected(&refused(|| admin.send("POST", "/api/v1/links", &over)), "#/expiredUrl");
    // Whatever the fragment, the port and the spelling.
    let spelt = json!({"originalUrl": "http://WWW.evil%2eexample:8080/%70age/../page#top"});
    assert_suspected(&refused(|| admin.send("POST", "/api/v1/links", &spelt)), "#/originalUrl");
    let said = site.hny().program().run(["shorten", EVIL]);
    assert_eq!(said.status.code(), Some(2), "{said:?}");
    assert!(String::from_utf8(said.stderr).unwrap().contains("advisory provided by Google"));
}

#[test]
fn a_link_is_not_changed_to_lead_to_a_suspected_page() {
    let (_provider, site) = evil_site();
    let mut admin = site.admin();
    let path = admin.link(&json!({"originalUrl": GOOD}));
    for (field, other) in [("originalUrl", GOOD), ("expiredUrl", GOOD)] {
        let refused = until_some(|| {
            let answer = admin.edit(&path, &json!({field: EVIL}));
            let is_refused = answer.status == 400;
            // It was changed before the word came: back, and again.
            assert!(is_refused || admin.edit(&path, &json!({field: other})).status == 200);
            is_refused.then_some(answer)
        });
        assert_suspected(&refused, &format!("#/{field}"));
    }
    assert_eq!(admin.edit(&path, &json!({"title": "still"})).status, 200);
    assert_eq!(site.visitor().get(&path).header("location"), Some(GOOD));
}

#[test]
fn a_suspected_row_is_refused_and_its_neighbours_are_made() {
    let (provider, site) = evil_site();
    let mut admin = site.admin();
    let rows: Vec<_> = (0..300).map(|number| format!("https://www.good{number}.example/a")).collect();
    let bulk = |evil: &str| {
        let mut rows: Vec<_> = rows.iter().map(|url| json!({"originalUrl": url})).collect();
        rows[7] = json!({"originalUrl": evil});
        rows[8] = json!({"originalUrl": EVIL, "private": true});
        json!({"create": rows})
    };
    let results = until_some(|| {
        let answer = admin.send("POST", "/api/v1/links/bulk", &bulk(EVIL));
        assert_eq!(answer.status, 200, "{}", answer.text());
        let results = answer.json()["results"].as_array().unwrap().clone();
        (results[7]["status"] == 400).then_some(results)
    });
    let made = results.iter().filter(|row| row["status"] == 201).count();
    assert_eq!((results.len(), made), (300, 299));
    assert_eq!(results[7]["problem"]["type"], "urn:hny:problem:target-suspected");
    assert_eq!(results[7]["problem"]["errors"][0]["pointer"], "#/create/7/originalUrl");
    assert_eq!(results[8]["status"], 201, "nobody is asked about a private one");
    // Four expressions a row, with some that they share. Where the word did not come in time some were asked about again.
    let mut asked = provider.asked();
    asked.sort_unstable();
    asked.dedup();
    assert!(asked.len() <= 12, "many are few questions: {}", asked.len());
}

#[test]
fn whoever_has_no_key_uses_a_place_up_by_a_suspected_page() {
    let provider = SafeBrowsing::start();
    provider.list("evil.example/", DECEPTION);
    let site = Site::start(&asking(&provider).env("HNY_CREATE_LIMIT", "2/1h"));
    let mut anyone = Caller::without_key(site.visitor());
    for _ in 0..2 {
        assert!([201, 400].contains(&anyone.shorten(&json!({"originalUrl": EVIL})).status));
    }
    assert_problem(&anyone.shorten(&json!({"originalUrl": EVIL})), 429, "too-many-requests");
}

#[test]
fn a_request_that_comes_again_is_answered_as_before_though_the_page_is_suspected_by_now() {
    let provider = provider();
    let site = Site::start(&asking(&provider));
    let headers =
        [("X-Api-Key", site.key()), ("Content-Type", "application/json"), ("Idempotency-Key", "a-request-of-mine")];
    let body = json!({"originalUrl": EVIL}).to_string();
    let post = || site.visitor().request("POST", "/api/v1/links", &headers, body.as_bytes());
    let first = post();
    assert_eq!(first.status, 201);
    super::becomes_suspected(&site, &provider);
    let again = post();
    assert_eq!((again.status, again.body), (201, first.body));
}

#[test]
fn links_are_made_while_the_provider_is_silent_and_its_late_word_counts() {
    let provider = SafeBrowsing::start();
    provider.list("evil.example/", DECEPTION);
    provider.set(Mood::Holds);
    let site = Site::start(&asking(&provider));
    let (mut admin, mut visitor) = (site.admin(), site.visitor());
    let path = admin.link(&json!({"originalUrl": EVIL}));
    assert_eq!(visitor.get(&path).status, 302, "the verdict is pending");
    provider.set(Mood::Answers);
    super::flagged(&mut visitor, &path);
}

#[test]
fn a_thousand_rows_wait_no_longer_than_one() {
    let provider = SafeBrowsing::start();
    provider.set(Mood::Holds);
    for service in ["safebrowsing", "webrisk"] {
        let site = Site::start(&super::set(&crate::site::program(), &provider, service));
        let rows: Vec<Value> =
            (0..1_000).map(|number| json!({"originalUrl": format!("https://{number}.example/")})).collect();
        let begun = std::time::Instant::now();
        let answer = site.admin().send("POST", "/api/v1/links/bulk", &json!({"create": rows}));
        // One after the other they would wait for five minutes.
        assert!(begun.elapsed() < hny_testkit::DEADLINE);
        let document = answer.json();
        let results = document["results"].as_array().unwrap();
        assert_eq!((results.len(), results.iter().all(|row| row["status"] == 201)), (1_000, true));
    }
}
