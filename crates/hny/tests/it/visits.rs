//! What a visit is, and what is kept of it, from the request to the statistics.

use hny_testkit::{Client, Program};
use serde_json::{Value, json};

use crate::instant::until_some;
use crate::site::{Site, program};

const TARGET: &str = "https://example.com/";

const CHROME: &str =
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36";

const IPHONE: &str = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 \
     Mobile/15E148 Safari/604.1";

/// A program behind a proxy that says whom it answers for.
fn behind_a_proxy() -> Program {
    program().env("HNY_TRUSTED_PROXIES", "127.0.0.1")
}

fn link(site: &Site) -> String {
    site.admin().link(&json!({"originalUrl": TARGET}))
}

fn visit(client: &mut Client, path: &str, headers: &[(&str, &str)]) {
    assert_eq!(client.request("GET", path, headers, b"").status, 302, "{headers:?}");
}

/// All visits of a link that are kept, once there are so many, in the order in which they came.
fn kept(site: &Site, path: &str, visits: usize) -> Vec<Value> {
    // One connection: with another for each look the system runs out of ports, and stands still.
    let mut admin = site.admin();
    until_some(|| {
        let page = admin.ask("GET", &format!("/api/v1/links{path}/clicks?limit=1000"));
        assert_eq!(page.status, 200, "{}", page.text());
        let items = page.json()["items"].as_array().expect("a page has items").clone();
        assert!(items.len() <= visits, "{items:?}");
        (items.len() == visits).then_some(items)
    })
}

fn values(visits: &[Value], field: &str) -> Vec<Option<String>> {
    visits.iter().map(|visit| visit[field].as_str().map(ToOwned::to_owned)).collect()
}

fn stats(site: &Site, path: &str, query: &str) -> Value {
    site.admin().ask("GET", &format!("/api/v1/links{path}/stats?{query}")).json()
}

#[test]
fn only_people_s_visits_are_clicks_whichever_way_they_come() {
    let program = program();
    let mut site = Site::start(&program);
    let path = link(&site);
    site.stop();
    // The first visit now is of a link that has to be looked up.
    let site = Site::start(&program);
    let visits: &[(&str, &[(&str, &str)])] = &[
        ("robot", &[("User-Agent", "Twitterbot/1.0")]),
        ("person", &[("User-Agent", CHROME)]),
        ("person", &[]),
        ("robot", &[("user-agent", "WhatsApp/2.23.20.0")]),
        ("robot", &[("User-Agent", "curl/8.5.0")]),
        ("prefetch", &[("User-Agent", CHROME), ("Sec-Purpose", "prefetch;prerender")]),
        ("prefetch", &[("Purpose", "prefetch")]),
        ("prefetch", &[("X-Moz", "prefetch")]),
        ("prefetch", &[("X-Purpose", "preview")]),
    ];
    let mut visitor = site.visitor();
    for (_, headers) in visits {
        visit(&mut visitor, &path, headers);
    }
    assert_eq!(visitor.head(&path).status, 302);
    for (_, headers) in visits {
        // HTTP/1.0 goes by the other way.
        let fields: Vec<_> = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        let fields = fields.concat();
        let mut client = site.visitor();
        assert_eq!(client.raw(format!("GET {path} HTTP/1.0\r\n{fields}\r\n").as_bytes()).status, 302);
    }
    let kinds = || visits.iter().map(|(kind, _)| Some((*kind).to_owned()));
    let mut expected: Vec<_> = kinds().chain([Some("probe".to_owned())]).chain(kinds()).collect();
    let mut found = values(&kept(&site, &path, expected.len()), "kind");
    // Those of the same millisecond are in no order.
    expected.sort();
    found.sort();
    assert_eq!(found, expected);
    let stats = stats(&site, &path, "groupBy=kind");
    assert_eq!((&stats["total"]["clicks"], &stats["total"]["robots"]), (&json!(4), &json!(6)));
    let groups = stats["groups"].as_array().expect("there are groups");
    let groups: Vec<_> = groups.iter().map(|group| (group["value"].as_str(), group["clicks"].as_u64())).collect();
    for expected in [("prefetch", 8), ("robot", 6), ("person", 4), ("probe", 1)] {
        assert!(groups.contains(&(Some(expected.0), Some(expected.1))), "{groups:?}");
    }
}

#[test]
fn of_a_visitor_is_kept_what_statistics_need() {
    let site = Site::start(&behind_a_proxy());
    let path = link(&site);
    let mut visitor = site.visitor();
    let cambridge = [
        ("X-Forwarded-For", "131.111.8.46"),
        ("User-Agent", CHROME),
        ("Referer", "https://News.example.org:8443/story?secret=1"),
        ("Accept-Language", "en-GB,en;q=0.9"),
    ];
    let tokyo = [("X-Forwarded-For", "133.11.0.1"), ("User-Agent", IPHONE), ("Accept-Language", "ja")];
    for headers in [&cambridge[..], &cambridge, &tokyo, &[]] {
        visit(&mut visitor, &path, headers);
    }
    let mut kept = kept(&site, &path, 4);
    // Those of the same millisecond are in no order.
    kept.sort_by_key(|visit| visit["country"].as_str().map(ToOwned::to_owned));
    let texts = |field: &str| values(&kept, field).into_iter().map(Option::unwrap_or_default).collect::<Vec<_>>();
    assert_eq!(texts("country"), ["", "GB", "GB", "JP"]);
    assert_eq!(texts("referrer"), ["", "news.example.org", "news.example.org", ""]);
    assert_eq!(texts("browser"), ["", "Chrome", "Chrome", "Mobile Safari"]);
    assert_eq!(texts("os"), ["", "Windows", "Windows", "iOS"]);
    assert_eq!(texts("device"), ["", "desktop", "desktop", "mobile"]);
    assert_eq!(texts("language"), ["", "en", "en", "ja"]);
    let visitors = texts("visitor");
    assert_eq!(visitors[1], visitors[2]);
    assert!(visitors[0] != visitors[1] && visitors[2] != visitors[3] && visitors.iter().all(|id| !id.is_empty()));
    assert_eq!(stats(&site, &path, "")["total"], json!({"clicks": 4, "uniques": 3, "robots": 0}));
}

#[test]
fn whatever_is_sent_breaks_no_redirect_and_is_kept_as_text() {
    let site = Site::start(&program());
    let path = link(&site);
    let long = "x".repeat(8_000);
    let mut visitor = site.visitor();
    let mut raw = |fields: &[u8]| {
        let head = [format!("GET {path} HTTP/1.1\r\nHost: a\r\n").as_bytes(), fields, b"\r\n"].concat();
        assert_eq!(visitor.raw(&head).status, 302, "{}", fields.escape_ascii());
    };
    raw(b"User-Agent: \xff\xfe\x80\r\nReferer: \xff\r\nAccept-Language: \xff\r\n");
    raw(format!("Referer: https://example.org/{long}\r\n").as_bytes());
    raw(format!("Referer: https://{long}/\r\n").as_bytes());
    raw(format!("User-Agent: {}\r\nAccept-Language: {long}\r\n", "\u{1f36f}".repeat(1_500)).as_bytes());
    raw("Referer: https://b\u{fc}cher.example/\r\nUser-Agent: =HYPERLINK(\"x\")\r\n".as_bytes());
    raw(b"Referer:\r\nUser-Agent:\r\nAccept-Language:\r\n");
    let mut referrers = values(&kept(&site, &path, 6), "referrer");
    referrers.sort();
    assert_eq!(referrers, [None, None, None, None, None, Some("example.org".to_owned())]);
}

#[test]
fn what_shall_not_be_kept_is_not() {
    let program = behind_a_proxy().env("HNY_CLICK_FIELDS", "country,device");
    let mut site = Site::start(&program);
    let path = link(&site);
    let headers = [
        ("X-Forwarded-For", "131.111.8.46"),
        ("User-Agent", CHROME),
        ("Referer", "https://example.org/"),
        ("Accept-Language", "en"),
    ];
    visit(&mut site.visitor(), &path, &headers);
    let visits = kept(&site, &path, 1);
    assert_eq!((&visits[0]["country"], &visits[0]["device"]), (&json!("GB"), &json!("desktop")));
    for field in ["visitor", "referrer", "browser", "os", "language"] {
        assert_eq!(visits[0][field], Value::Null, "{field}");
    }
    assert_eq!(stats(&site, &path, "")["total"], json!({"clicks": 1, "uniques": 0, "robots": 0}));
    site.stop();
    let site = Site::start(&program.env("HNY_CLICK_FIELDS", "none"));
    visit(&mut site.visitor(), &path, &headers);
    let visits = kept(&site, &path, 2);
    assert!(visits[1]["country"].is_null() && visits[1]["device"].is_null(), "{visits:?}");
}

#[test]
fn a_deleted_link_takes_its_clicks_with_it_everywhere() {
    let site = Site::start(&behind_a_proxy());
    let fields = json!({"originalUrl": TARGET, "customCode": "again"});
    let path = site.admin().link(&fields);
    let mut visitor = site.visitor();
    for client in ["192.0.2.1", "192.0.2.1", "192.0.2.2", "192.0.2.1", "192.0.2.2"] {
        visit(&mut visitor, &path, &[("X-Forwarded-For", client), ("User-Agent", CHROME)]);
    }
    kept(&site, &path, 5);
    let of_all = || site.admin().ask("GET", "/api/v1/stats").json()["total"].clone();
    let expected = json!({"clicks": 5, "uniques": 2, "robots": 0});
    assert_eq!((&stats(&site, &path, "")["total"], &of_all()), (&expected, &expected));
    assert_eq!(site.admin().delete(&path).status, 204);
    let nothing = json!({"clicks": 0, "uniques": 0, "robots": 0});
    assert_eq!(of_all(), nothing);
    assert_eq!(site.admin().link(&fields), path);
    assert_eq!((&stats(&site, &path, "")["total"], &of_all()), (&nothing, &nothing));
    visit(&mut visitor, &path, &[("User-Agent", CHROME)]);
    kept(&site, &path, 1);
    assert_eq!(of_all()["clicks"], 1);
}
