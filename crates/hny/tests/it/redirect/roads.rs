//! There are two roads to a link: visits as nearly everyone sends them are answered from their bytes, all others by way of hyper.
//! Nobody may be able to tell which one was taken.

use hny_testkit::Response;
use serde_json::json;

use super::TARGET;
use crate::instant::millis_ahead;
use crate::site::Site;

/// What makes a request unusual, and changes nothing about it.
const UNUSUAL: (&str, &str) = ("Connection", "keep-alive, x-nothing");

/// All of an answer but its date.
fn told(answer: Response) -> (u16, Vec<(String, String)>, Vec<u8>) {
    let fields = answer.fields.iter().filter(|(name, _)| name != "date");
    let fields = fields.map(|(name, value)| (name.clone(), String::from_utf8_lossy(value).into_owned())).collect();
    assert!(answer.header("date").is_some_and(|date| date.ends_with(" GMT")), "{:?}", answer.fields);
    (answer.status, fields, answer.body)
}

/// Paths to links of every kind, and to none.
fn paths(site: &Site) -> Vec<String> {
    let mut admin = site.admin();
    let mut paths: Vec<_> =
        [301, 302, 307, 308].map(|status| admin.link(&json!({"originalUrl": TARGET, "redirectStatus": status}))).into();
    paths.push(
        admin.link(
            &json!({"originalUrl": TARGET, "redirectStatus": 301, "expiresAt": millis_ahead(900_000).to_string()}),
        ),
    );
    paths.push(admin.link(&json!({"originalUrl": TARGET, "forwardQuery": false})));
    paths.push(admin.link(&json!({"originalUrl": TARGET, "active": false})));
    paths.push(admin.link(&json!({"originalUrl": TARGET, "validFrom": millis_ahead(900_000).to_string()})));
    paths
        .extend(["/nobody-has-this", "/", "/healthz", "/readyz", "/api", "/robots.txt", "/a.b"].map(ToOwned::to_owned));
    let visited = paths.clone();
    paths.extend(visited.iter().map(|path| format!("{path}?b=2&c=%20%C3%A4[]")));
    paths.extend(visited.iter().map(|path| format!("{path}?")));
    paths.extend(visited.iter().map(|path| format!("{path}/")));
    paths
}

#[test]
fn both_roads_give_the_same_answers() {
    let site = Site::shared();
    let (mut plain, mut unusual) = (site.visitor(), site.visitor());
    for path in paths(&site) {
        for accept in [None, Some("text/html,*/*"), Some("application/json")] {
            let accept = accept.map(|value| ("Accept", value));
            let with: Vec<_> = accept.into_iter().chain([UNUSUAL]).collect();
            let without: Vec<_> = accept.into_iter().collect();
            // The first answer may come from the store; the second one does not.
            for method in ["GET", "HEAD", "GET"] {
                let one = told(plain.request(method, &path, &without, b""));
                let other = told(unusual.request(method, &path, &with, b""));
                assert_eq!(one, other, "{method} {path} {accept:?}");
            }
        }
    }
}

#[test]
fn both_roads_end_an_expired_link_alike() {
    let site = Site::shared();
    let path = site.admin().link(&json!({"originalUrl": TARGET}));
    site.admin().end(&path);
    let gone = site.visitor().get(&path);
    assert_eq!(gone.status, 410);
    assert_eq!(told(gone), told(site.visitor().request("GET", &path, &[UNUSUAL], b"")));
}

#[test]
fn a_connection_goes_on_after_each_kind_of_request() {
    let site = Site::shared();
    let mut admin = site.admin();
    let path = admin.link(&json!({"originalUrl": TARGET}));
    let mut visitor = site.visitor();
    let large = vec![b' '; 60_000];
    for _ in 0..3 {
        assert_eq!(visitor.get(&path).headers("location"), [TARGET]);
        assert_eq!(visitor.get("/healthz").status, 200);
        assert_eq!(visitor.post_json("/api/shorten", &json!({"originalUrl": TARGET})).status, 201);
        assert_eq!(visitor.head(&path).headers("location"), [TARGET]);
        // A body that comes in many pieces.
        assert_eq!(
            visitor.request("POST", "/api/shorten", &[("Content-Type", "application/json")], &large).status,
            400
        );
        assert_eq!(visitor.request("PUT", &path, &[], b"body").status, 405);
        assert_eq!(visitor.request("GET", &path, &[UNUSUAL], b"body").headers("location"), [TARGET]);
    }
}

#[test]
fn a_long_pipeline_is_answered_whole_and_in_order() {
    let site = Site::shared();
    let mut admin = site.admin();
    let target = |number: usize| format!("https://example.com/{number}/{}", "x".repeat(4000));
    let links: Vec<_> =
        (0..7).map(|number| (admin.link(&json!({"originalUrl": target(number)})), target(number))).collect();
    // Twenty megabytes of answers to a client that has not begun to read: more than fits into any buffer between.
    let asked: Vec<_> = links.iter().cycle().take(5000).collect();
    let requests: Vec<_> = asked.iter().map(|(path, _)| format!("GET {path} HTTP/1.1\r\nHost: a\r\n\r\n")).collect();
    let mut visitor = site.visitor();
    visitor.send(requests.concat().as_bytes()).unwrap();
    for (number, (_, target)) in asked.iter().enumerate() {
        assert_eq!(visitor.receive("GET").headers("location"), [target], "{number}");
    }
}

#[test]
fn a_pipeline_of_all_kinds_of_requests_is_answered_in_order() {
    let site = Site::shared();
    let path = site.admin().link(&json!({"originalUrl": TARGET}));
    let body = json!({"originalUrl": TARGET}).to_string();
    let length = body.len();
    let requests = (0..200).map(|number| {
        // From the cache, from the store, from the router, with a body, and read by hyper.
        format!(
            "GET {path} HTTP/1.1\r\nHost: a\r\n\r\n\
             GET /not-there-{number} HTTP/1.1\r\nHost: a\r\n\r\n\
             GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n\
             POST /api/shorten HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}\
             PUT {path} HTTP/1.1\r\nHost: a\r\n\r\n"
        )
    });
    let mut visitor = site.visitor();
    visitor.send(requests.collect::<String>().as_bytes()).unwrap();
    for number in 0..200 {
        let statuses = ["GET", "GET", "GET", "POST", "PUT"].map(|method| visitor.receive(method).status);
        assert_eq!(statuses, [302, 404, 200, 201, 405], "{number}");
    }
}

#[test]
fn a_pipeline_ends_with_the_request_that_says_close() {
    let site = Site::shared();
    let path = site.admin().link(&json!({"originalUrl": TARGET}));
    // The code is looked up for one of them, and in the cache for the others.
    for (first, last) in [(path.as_str(), "/not-looked-up-yet"), ("/not-looked-up-either", path.as_str())] {
        let mut visitor = site.visitor();
        let request = |path: &str, field: &str| format!("GET {path} HTTP/1.1\r\nHost: a\r\n{field}\r\n");
        let requests = [request(first, ""), request(last, "Connection: close\r\n"), request(first, "")].concat();
        visitor.send(requests.as_bytes()).unwrap();
        assert_eq!(visitor.receive("GET").header("connection"), None);
        assert_eq!(visitor.receive("GET").header("connection"), Some("close"));
        assert_eq!(visitor.closed(), b"");
    }
}
