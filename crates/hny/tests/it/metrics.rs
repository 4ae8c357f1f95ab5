//! `/metrics`, on an address of its own.

use hny_testkit::Client;
use serde_json::json;

use crate::site::Site;

/// The value of a series.
fn value(metrics: &mut Client, series: &str) -> f64 {
    let answer = metrics.get("/metrics");
    let line = answer.text().lines().find_map(|line| line.strip_prefix(series)?.strip_prefix(' '));
    line.unwrap_or_else(|| panic!("no {series} in\n{}", answer.text())).parse().unwrap()
}

#[test]
fn what_happens_is_counted() {
    let site = Site::with("HNY_METRICS_LISTEN", "127.0.0.1:0");
    let mut metrics = Client::connect(site.hny().metrics_address());
    let (mut admin, mut visitor) = (site.admin(), site.visitor());
    let path = admin.link(&json!({"originalUrl": "https://example.com/"}));
    let ends = admin.link(&json!({"originalUrl": "https://example.com/"}));
    admin.end(&ends);
    let before =
        ["go", "gone", "absent"].map(|name| value(&mut metrics, &format!("hny_visits_total{{outcome=\"{name}\"}}")));
    for target in [&path, &path, &path, &ends, "/unknown", "/unknown"] {
        visitor.get(target);
    }
    // None of these is a visit.
    for target in ["/robots.txt", "/favicon.ico", "/apple-touch-icon.png", "/", "/healthz", "/no.code"] {
        visitor.get(target);
    }
    visitor.request("POST", &path, &[], b"");
    let after =
        ["go", "gone", "absent"].map(|name| value(&mut metrics, &format!("hny_visits_total{{outcome=\"{name}\"}}")));
    let grown: Vec<f64> = after.iter().zip(before).map(|(after, before)| after - before).collect();
    assert_eq!(grown, [3.0, 1.0, 2.0]);
    assert!((value(&mut metrics, "hny_links_created_total") - 2.0).abs() < 0.1);
    assert!(value(&mut metrics, "hny_connections") >= 2.0);
    assert!(value(&mut metrics, "hny_cache_entries") >= 2.0);
}

#[test]
fn metrics_are_nowhere_but_on_their_own_address() {
    let site = Site::with("HNY_METRICS_LISTEN", "127.0.0.1:0");
    let path = site.admin().link(&json!({"originalUrl": "https://example.com/"}));
    assert_eq!(site.visitor().get("/metrics").status, 404);
    let mut metrics = Client::connect(site.hny().metrics_address());
    let answer = metrics.get("/metrics");
    assert_eq!(answer.status, 200);
    assert!(answer.header("content-type").unwrap().starts_with("application/openmetrics-text; version=1.0.0"));
    assert!(answer.text().ends_with("# EOF\n"));
    for other in ["/", &path, "/api/shorten", "/healthz"] {
        let answer = metrics.get(other);
        assert_eq!((answer.status, answer.headers("location").len()), (404, 0), "{other}");
    }
}

#[test]
fn no_target_and_no_key_is_in_the_metrics() {
    let site = Site::with("HNY_METRICS_LISTEN", "127.0.0.1:0");
    let path = site.admin().link(&json!({"originalUrl": "https://secret.example/", "title": "secret title"}));
    site.visitor().get(&path);
    let answer = Client::connect(site.hny().metrics_address()).get("/metrics");
    for secret in ["secret", site.key(), &path[1..]] {
        assert!(!answer.text().contains(secret), "{}", answer.text());
    }
}
