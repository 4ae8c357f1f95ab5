//! Reports of abuse: who sends them, and who reads them.

use hny_testkit::{Client, Response};
use serde_json::{Value, json};

use crate::caller::{Caller, text};
use crate::document::{assert_bad_field, assert_fields, assert_problem, assert_time, names};
use crate::site::{Site, program};

const FORM: (&str, &str) = ("Content-Type", "application/x-www-form-urlencoded");

/// A program whose tests may be many clients.
fn site() -> Site {
    Site::start(&program().env("HNY_TRUSTED_PROXIES", "127.0.0.1"))
}

fn link(site: &Site) -> String {
    site.admin().link(&json!({"originalUrl": "https://example.com/"}))
}

fn report(client: &mut Client, path: &str, body: &str, address: &str) -> Response {
    client.request("POST", &format!("{path}+"), &[FORM, ("X-Forwarded-For", address)], body.as_bytes())
}

fn list(caller: &mut Caller, query: &str) -> Value {
    let answer = caller.ask("GET", &format!("/api/v1/reports{query}"));
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()
}

fn items(caller: &mut Caller, query: &str) -> Vec<Value> {
    list(caller, query)["items"].as_array().unwrap().clone()
}

#[test]
fn an_admin_reads_what_a_visitor_reports() {
    let site = site();
    let path = link(&site);
    let mut visitor = site.visitor();
    let body = "reason=phishing&detail=%3Cscript%3Ealert%281%29%3C%2Fscript%3E%0D%0A%C3%BC";
    let thanks = report(&mut visitor, &path, body, "203.0.113.5");
    assert_eq!(thanks.status, 200);
    crate::pages::assert_page(&thanks);
    // Said again, it is thanked for again, and is there once.
    assert_eq!(report(&mut visitor, &path, "reason=spam", "203.0.113.5").status, 200);
    assert_eq!(report(&mut visitor, &path, "reason=spam&detail=", "203.0.113.6").status, 200);
    let mut admin = site.admin();
    let reports = items(&mut admin, "");
    let [second, first] = reports.as_slice() else { panic!("{reports:?}") };
    let fields =
        ["detail", "domain", "id", "reason", "reportedAt", "reporter", "resolvedAt", "resolvedBy", "shortCode"];
    assert_eq!(names(first), fields);
    assert_time(first, "reportedAt");
    assert_eq!((&first["reason"], &first["detail"]), (&json!("phishing"), &json!("<script>alert(1)</script>\nü")));
    assert_eq!((&second["reason"], &second["detail"]), (&json!("spam"), &Value::Null));
    assert_eq!(text(first, "shortCode"), path[1..]);
    assert_ne!(text(first, "reporter"), text(second, "reporter"));
    assert!(!format!("{reports:?}").contains("203.0.113"), "{reports:?}");
}

#[test]
fn a_report_that_is_dealt_with_is_open_no_more() {
    let site = site();
    let (path, mut admin) = (link(&site), site.admin());
    for address in ["203.0.113.5", "203.0.113.6"] {
        report(&mut site.visitor(), &path, "reason=malware", address);
    }
    let id = text(&items(&mut admin, "?state=open")[0], "id");
    let resolve = format!("/api/v1/reports/{id}/resolve");
    let resolved = admin.ask("POST", &resolve);
    assert_eq!(resolved.status, 200, "{}", resolved.text());
    assert_time(&resolved.json(), "resolvedAt");
    assert_eq!(admin.ask("POST", &resolve).json(), resolved.json(), "again changes nothing");
    assert_eq!(items(&mut admin, "?state=resolved"), [resolved.json()]);
    assert_eq!(items(&mut admin, "?state=open").len(), 1);
    assert_eq!(items(&mut admin, "").len(), 2);
    // It outlives its link.
    assert_eq!(admin.delete(&path).status, 204);
    assert_eq!(items(&mut admin, "").len(), 2);
    for id in ["0", "999999", "x", "-1", "99999999999999999999"] {
        assert_problem(&admin.ask("POST", &format!("/api/v1/reports/{id}/resolve")), 404, "report-not-found");
    }
}

#[test]
fn pages_of_reports_do_not_overlap() {
    let site = site();
    let mut admin = site.admin();
    for number in 0..5 {
        let path = link(&site);
        report(&mut site.visitor(), &path, "reason=other", &format!("203.0.113.{number}"));
    }
    let mut ids = Vec::new();
    let mut query = "?limit=2".to_owned();
    loop {
        let page = list(&mut admin, &query);
        ids.extend(page["items"].as_array().unwrap().iter().map(|report| text(report, "id")));
        let Some(next) = page["next"].as_str() else { break };
        query = format!("?limit=2&cursor={next}");
    }
    let all: Vec<_> = items(&mut admin, "").iter().map(|report| text(report, "id")).collect();
    assert_eq!((ids.len(), &ids), (5, &all));
    for (query, pointer) in [
        ("?limit=0", "#/limit"),
        ("?limit=201", "#/limit"),
        ("?limit=x", "#/limit"),
        ("?cursor=1;DROP TABLE x".replace(' ', "%20").as_str(), "#/cursor"),
        ("?state=closed", "#/state"),
        ("?order=asc", "#/order"),
    ] {
        assert_bad_field(&admin.ask("GET", &format!("/api/v1/reports{query}")), pointer);
    }
}

#[test]
fn only_admins_read_reports() {
    let site = site();
    assert_problem(&site.visitor().get("/api/v1/reports"), 401, "key-needed");
    for role in ["editor", "creator", "reader"] {
        let made = site.hny().program().run(["key", "create", "--name", role, "--role", role]);
        let mut caller = Caller::new(site.visitor(), String::from_utf8(made.stdout).unwrap().trim_end());
        assert_problem(&caller.ask("GET", "/api/v1/reports"), 403, "not-allowed");
        assert_problem(&caller.ask("POST", "/api/v1/reports/1/resolve"), 403, "not-allowed");
    }
}

#[test]
fn what_is_no_report_is_refused() {
    let site = site();
    let path = link(&site);
    let mut visitor = site.visitor();
    let long = format!("reason=spam&detail={}", "x".repeat(501));
    for (body, pointers) in [
        ("", &["#/reason"][..]),
        ("reason=hate", &["#/reason"]),
        ("reason=spam&reason=spam", &["#/reason"]),
        ("reason=spam&detail=%00", &["#/detail"]),
        (&*long, &["#/detail"]),
    ] {
        assert_fields(&report(&mut visitor, &path, body, "203.0.113.5"), 400, "invalid-field", pointers);
    }
    assert_problem(&report(&mut visitor, "/nobody-has-this", "reason=spam", "203.0.113.5"), 404, "link-not-found");
    let foreign = [FORM, ("Sec-Fetch-Site", "cross-site")];
    assert_problem(&visitor.request("POST", &format!("{path}+"), &foreign, b"reason=spam"), 403, "foreign-form");
    assert!(items(&mut site.admin(), "").is_empty());
}

#[test]
fn a_client_sends_so_many_reports_and_no_more() {
    let program = program().env("HNY_TRUSTED_PROXIES", "127.0.0.1").env("HNY_REPORT_LIMIT", "2/1h");
    let site = Site::start(&program);
    let paths: Vec<_> = (0..3).map(|_| link(&site)).collect();
    let mut visitor = site.visitor();
    let statuses: Vec<_> =
        paths.iter().map(|path| report(&mut visitor, path, "reason=spam", "203.0.113.5").status).collect();
    assert_eq!(statuses, [200, 200, 429]);
    let refused = report(&mut visitor, &paths[2], "reason=spam", "203.0.113.5");
    assert_problem(&refused, 429, "too-many-requests");
    assert!(refused.header("retry-after").is_some());
    assert_eq!(report(&mut visitor, &paths[2], "reason=spam", "203.0.113.6").status, 200);
    assert_eq!(items(&mut site.admin(), "").len(), 3);
}
