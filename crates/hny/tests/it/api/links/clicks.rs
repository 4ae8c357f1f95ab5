//! `GET /api/v1/links/{code}/clicks`.

use std::fmt::Write as _;
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use hny_domain::{Timestamp, Traits, VisitKind};
use hny_testkit::{DEADLINE, Response};
use serde_json::{Value, json};

use super::TARGET;
use crate::document::{assert_bad_field, assert_fields, assert_json, assert_problem, names};
use crate::keeper::{Clicks, Keeper, referred};
use crate::postgres;
use crate::site::Site;

const DAY: &str = "from=2025-10-25&to=2025-10-26";

const HEADER: &str = "time,kind,visitor,country,referrer,browser,os,device,language";

fn ask(keeper: &Keeper, path: &str, query: &str) -> Response {
    keeper.admin().ask("GET", &format!("/api/v1/links{path}/clicks?{query}"))
}

/// A page, which must be answered.
fn page(keeper: &Keeper, path: &str, query: &str) -> (Vec<Value>, Option<String>) {
    let answer = ask(keeper, path, query);
    assert_eq!(answer.status, 200, "{query} {}", answer.text());
    assert_json(&answer);
    let page = answer.json();
    assert_eq!(names(&page), ["items", "next"]);
    (page["items"].as_array().unwrap().clone(), page["next"].as_str().map(str::to_owned))
}

/// As many clicks as are said, each second one.
fn many(clicks: Clicks, count: usize, traits: &Traits) -> Clicks {
    let start = Timestamp::parse("2025-10-25T00:00:00Z").unwrap().as_millis();
    (0..count).fold(clicks, |clicks, second| {
        let at = Timestamp::from_millis(start + 1000 * i64::try_from(second).unwrap());
        clicks.known(&at.to_string(), second as u64 % 9, traits.clone())
    })
}

#[test]
fn a_click_is_all_that_is_kept_of_it() {
    Keeper::on_both(|keeper| {
        let (path, clicks) = keeper.link();
        let text = |text: &str| Some(Arc::from(text));
        let known = Traits {
            country: text("KR"),
            referrer: text("news.example"),
            browser: text("Firefox"),
            os: text("Linux"),
            device: text("desktop"),
            language: text("ko"),
        };
        keeper.take(
            clicks
                .other("2025-10-25T12:00:00.001Z", VisitKind::Robot)
                .known("2025-10-25T12:00:00Z", u64::MAX - 1, known)
                .person("2025-10-26T00:00:00Z", 1),
        );
        let expected = json!([
            {"time": "2025-10-25T12:00:00.000Z", "kind": "person", "visitor": "fffffffffffffffe", "country": "KR",
             "referrer": "news.example", "browser": "Firefox", "os": "Linux", "device": "desktop", "language": "ko"},
            {"time": "2025-10-25T12:00:00.001Z", "kind": "robot", "visitor": null, "country": null,
             "referrer": null, "browser": null, "os": null, "device": null, "language": null}
        ]);
        assert_eq!(page(keeper, &path, DAY), (expected.as_array().unwrap().clone(), None));
        let lines = ask(keeper, &path, &format!("{DAY}&format=jsonl"));
        let items: Vec<Value> = lines.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(json!(items), expected);
        let csv = ask(keeper, &path, &format!("{DAY}&format=csv"));
        let expected = format!(
            "{HEADER}\r\n2025-10-25T12:00:00.000Z,person,fffffffffffffffe,KR,news.example,Firefox,Linux,desktop,ko\r\n\
             2025-10-25T12:00:00.001Z,robot,,,,,,,\r\n"
        );
        assert_eq!(csv.text(), expected);
    });
}

#[test]
fn pages_hold_every_click_once() {
    Keeper::on_both(|keeper| {
        let (path, clicks) = keeper.link();
        // Some at the same moment, so that a page may end between them.
        let clicks = many(clicks, 20, &Traits::default());
        keeper.take((0..10).fold(clicks, |clicks, visitor| clicks.person("2025-10-25T00:00:05Z", visitor)));
        let (all, none) = page(keeper, &path, &format!("{DAY}&limit=1000"));
        assert_eq!((all.len(), none), (30, None));
        assert!(all.is_sorted_by_key(|click| click["time"].as_str().unwrap().to_owned()));
        for limit in [1, 7, 10, 29, 30] {
            let (mut read, mut query) = (Vec::new(), format!("{DAY}&limit={limit}"));
            loop {
                let (items, next) = page(keeper, &path, &query);
                assert!(items.len() == limit || next.is_none(), "a page is full, but for the last");
                assert!(!items.is_empty(), "no page is empty where there are clicks");
                read.extend(items);
                let Some(next) = next else { break };
                query = format!("{DAY}&limit={limit}&cursor={next}");
            }
            assert_eq!(read, all, "{limit}");
        }
        let (usual, next) = page(keeper, &path, DAY);
        assert_eq!((usual.len(), next), (30, None));
    });
}

#[test]
fn a_download_has_every_click_and_says_what_it_is() {
    Keeper::on_both(|keeper| {
        let (path, clicks) = keeper.link();
        // More than are read at once.
        keeper.take(many(clicks, 2_500, &referred("news.example")));
        for (format, media_type, head) in [("csv", "text/csv; charset=utf-8", 1), ("jsonl", "application/jsonl", 0)] {
            let answer = ask(keeper, &path, &format!("{DAY}&format={format}"));
            assert_eq!((answer.status, answer.header("content-type")), (200, Some(media_type)));
            let name = format!("attachment; filename=\"clicks-{}.{format}\"", &path[1..]);
            assert_eq!(answer.header("content-disposition"), Some(&*name));
            assert_eq!(answer.header("cache-control"), Some("private, no-store"));
            assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
            assert_eq!(answer.header("transfer-encoding"), Some("chunked"), "nobody knows how long it will be");
            assert_eq!(answer.text().lines().count(), 2_500 + head);
            let (mut lines, mut expected) = (String::new(), String::new());
            for (second, line) in answer.text().lines().skip(head).enumerate() {
                let clock = format!("{:02}:{:02}:{:02}", second / 3600, second / 60 % 60, second % 60);
                let _ = writeln!(expected, "2025-10-25T{clock}.000Z");
                let _ = writeln!(lines, "{}", &line[line.find("2025").unwrap()..][..24]);
            }
            assert_eq!(lines, expected);
        }
    });
}

#[test]
fn where_nobody_clicked_a_download_is_empty() {
    let site = Site::shared();
    let mut admin = site.admin();
    let path = admin.link(&json!({"originalUrl": TARGET}));
    for (format, text) in [("csv", format!("{HEADER}\r\n")), ("jsonl", String::new())] {
        let target = format!("/api/v1/links{path}/clicks?format={format}");
        let answer = admin.ask("GET", &target);
        assert_eq!((answer.status, answer.text()), (200, &*text));
        let head = admin.ask("HEAD", &target);
        assert_eq!((head.status, head.header("content-type")), (200, answer.header("content-type")));
    }
}

/// What visitors send is chosen by them, and opened by the owner of the link.
#[test]
fn no_cell_is_a_formula_whatever_visitors_sent() {
    let keeper = Keeper::on_sqlite();
    let (path, clicks) = keeper.link();
    let hostile = [
        "=1+1",
        "+1+1",
        "-1+1",
        "@SUM(1)",
        "\t=1",
        "\r=1",
        "\n=1",
        "a;=1+1",
        "a,=1+1",
        "\"=1",
        "a\"\r\n=1",
        "'=1",
        " =1",
        "＝1",
        "=cmd|' /C calc'!A0",
    ];
    keeper.take(hostile.iter().fold(clicks, |clicks, text| {
        let text = Some(Arc::from(*text));
        let traits = Traits {
            country: text.clone(),
            referrer: text.clone(),
            browser: text.clone(),
            os: text.clone(),
            device: text.clone(),
            language: text,
        };
        clicks.known("2025-10-25T12:00:00Z", 1, traits)
    }));
    let csv = ask(&keeper, &path, &format!("{DAY}&format=csv"));
    let lines: Vec<_> = csv.text().split("\r\n").collect();
    assert_eq!((lines.len(), lines[0], lines[lines.len() - 1]), (hostile.len() + 2, HEADER, ""));
    for line in &lines[1..=hostile.len()] {
        let cells: Vec<_> = line.split([',', ';', '\t']).collect();
        assert_eq!(cells.len(), 9, "{line}");
        let is_safe = |cell: &&str| cell.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '%');
        assert!(cells.iter().all(is_safe) && !line.contains(['"', '\n', '\r']), "{line}");
    }
}

#[test]
fn what_is_asked_wrongly_is_named() {
    let site = Site::shared();
    let mut admin = site.admin();
    let path = admin.link(&json!({"originalUrl": TARGET}));
    let mut ask = |query: &str| admin.ask("GET", &format!("/api/v1/links{path}/clicks?{query}"));
    for (query, pointer) in [
        ("from=x", "#/from"),
        ("to=2025-10-26T12:00:00", "#/to"),
        ("limit=0", "#/limit"),
        ("limit=1001", "#/limit"),
        ("limit=-1", "#/limit"),
        ("limit=ten", "#/limit"),
        ("limit=", "#/limit"),
        ("cursor=x", "#/cursor"),
        ("cursor=", "#/cursor"),
        ("format=xml", "#/format"),
        ("format=CSV", "#/format"),
        ("format=csv&limit=5", "#/limit"),
        ("format=jsonl&cursor=1-1", "#/cursor"),
        ("format=csv&format=csv", "#/format"),
        ("tz=UTC", "#/tz"),
        ("domain=other.example", "#/domain"),
    ] {
        assert_bad_field(&ask(query), pointer);
    }
    assert_fields(&ask("limit=x&cursor=y&from=z"), 400, "invalid-field", &["#/limit", "#/cursor", "#/from"]);
    assert_eq!(ask("format=json&limit=1000&cursor=1-1").status, 200);
}

#[test]
fn only_who_may_see_a_link_sees_its_clicks() {
    let site = Site::shared();
    let mut admin = site.admin();
    let path = admin.link(&json!({"originalUrl": TARGET}));
    for format in ["json", "csv", "jsonl"] {
        let target = format!("/api/v1/links{path}/clicks?format={format}");
        assert_problem(&site.visitor().get(&target), 401, "key-needed");
        assert_eq!(admin.ask("GET", &target).status, 200);
        let missing = format!("/api/v1/links/no-such-link/clicks?format={format}");
        assert_problem(&admin.ask("GET", &missing), 404, "link-not-found");
    }
    assert_eq!(admin.delete(&path).status, 204);
    assert_problem(&admin.ask("GET", &format!("/api/v1/links{path}/clicks?format=csv")), 404, "link-not-found");
}

/// So many clicks, with such long referrers, that the system does not keep them for a client that does not read.
fn more_than_fits(clicks: Clicks) -> Clicks {
    many(clicks, MORE_THAN_FITS, &referred(&"x".repeat(250)))
}

const MORE_THAN_FITS: usize = 40_000;

/// Begins a download, and reads a little of it.
fn begun(keeper: &Keeper, path: &str) -> TcpStream {
    let mut stream = TcpStream::connect(keeper.site.hny().address()).unwrap();
    stream.set_read_timeout(Some(DEADLINE)).unwrap();
    let target = format!("/api/v1/links{path}/clicks?{DAY}&format=jsonl");
    let request = format!("GET {target} HTTP/1.1\r\nHost: a\r\nX-Api-Key: {}\r\n\r\n", keeper.site.key());
    stream.write_all(request.as_bytes()).unwrap();
    let mut begun = vec![0; 1024];
    stream.read_exact(&mut begun).unwrap();
    assert!(begun.starts_with(b"HTTP/1.1 200 "), "{}", begun.escape_ascii());
    stream
}

/// Reads on to the end of the connection; it must come before that of the download.
fn assert_broken_off(mut stream: TcpStream) {
    let mut rest = Vec::new();
    // The end of the connection, be it friendly or not.
    let ended = stream.read_to_end(&mut rest);
    assert!(!ended.is_err_and(|error| matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut)));
    let text = String::from_utf8_lossy(&rest);
    let lines = text.matches("\"time\"").count();
    assert!((100..MORE_THAN_FITS).contains(&lines), "{lines}");
    assert!(!text.ends_with(LAST_CHUNK), "nobody may take a part for the whole");
}

const LAST_CHUNK: &str = "\r\n0\r\n\r\n";

#[test]
fn a_download_that_fails_on_the_way_breaks_off() {
    let database = postgres::server().new_database();
    let keeper = Keeper::on_postgres_database(&database);
    let (path, clicks) = keeper.link();
    keeper.take(more_than_fits(clicks));
    let stream = begun(&keeper, &path);
    postgres::server().run(&database, "ALTER TABLE clicks RENAME TO gone");
    assert_broken_off(stream);
    keeper.site.hny().wait_for_line(|line| line.contains("a download is broken off").then_some(()));
    assert_problem(&ask(&keeper, &path, &format!("{DAY}&format=jsonl")), 500, "internal");
}

#[test]
fn so_does_one_whose_link_is_deleted_meanwhile() {
    let keeper = Keeper::on_sqlite();
    let (path, clicks) = keeper.link();
    keeper.take(more_than_fits(clicks));
    let stream = begun(&keeper, &path);
    assert_eq!(keeper.admin().delete(&path).status, 204);
    assert_broken_off(stream);
}

#[test]
fn a_client_may_take_its_time_as_long_as_it_takes_something() {
    const PART: usize = 256 * 1024;
    const PAUSE: Duration = Duration::from_millis(100);
    let keeper = Keeper::with("HNY_IDLE_TIMEOUT", "1s");
    let (path, clicks) = keeper.link();
    keeper.take(more_than_fits(clicks));
    let idle = begun(&keeper, &path);
    let (mut slow, mut text, start) = (begun(&keeper, &path), Vec::new(), Instant::now());
    while !text.ends_with(LAST_CHUNK.as_bytes()) {
        let mut part = vec![0; PART];
        let read = slow.read(&mut part).unwrap();
        assert_ne!(read, 0, "it is cut off after {} bytes", text.len());
        text.extend_from_slice(&part[..read]);
        // Nobody wakes it: a pause of the client.
        thread::park_timeout(PAUSE);
    }
    assert!(start.elapsed() > Duration::from_secs(2), "it was slow enough to be cut off if it were idle");
    assert_broken_off(idle);
}
