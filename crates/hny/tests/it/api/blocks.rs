//! `/api/v1/blocks`: what is blocked, and what is refused because of it.

use hny_testkit::Program;
use serde_json::{Value, json};

use crate::caller::{Caller, text};
use crate::document::{assert_bad_field, assert_json, assert_problem, assert_time, names};
use crate::instant::until_some_within;
use crate::postgres;
use crate::site::{Site, program};

/// Every node knows a change within this time.
const PROMISE: std::time::Duration = std::time::Duration::from_secs(1);

fn add(admin: &mut Caller, rule: &str) -> Value {
    let added = admin.send("POST", "/api/v1/blocks", &json!({"rule": rule}));
    assert_eq!(added.status, 201, "{}", added.text());
    added.json()
}

fn rules(admin: &mut Caller, query: &str) -> (Vec<String>, Value) {
    let page = admin.ask("GET", &format!("/api/v1/blocks{query}")).json();
    let items = page["items"].as_array().unwrap_or_else(|| panic!("{page}"));
    (items.iter().map(|item| text(item, "rule")).collect(), page["next"].clone())
}

/// Whether a link to this target can be made.
fn is_refused(admin: &mut Caller, target: &str) -> bool {
    let made = admin.send("POST", "/api/v1/links", &json!({"originalUrl": target}));
    if made.status == 201 {
        return false;
    }
    assert_bad_field(&made, "#/originalUrl");
    true
}

#[test]
fn a_rule_is_added_shown_and_removed() {
    let site = Site::start(&program());
    let mut admin = site.admin();
    let added = admin.send("POST", "/api/v1/blocks", &json!({"rule": " HTTPS://Evil.example./a/../b?x=1#y "}));
    assert_eq!(added.status, 201);
    assert_json(&added);
    let block = added.json();
    assert_eq!(names(&block), ["addedAt", "addedBy", "rule"]);
    assert_eq!((&block["rule"], &block["addedBy"]), (&json!("evil.example/b?x=1"), &json!("1")));
    assert_time(&block, "addedAt");
    let again = admin.send("POST", "/api/v1/blocks", &json!({"rule": "evil.example/b?x=1"}));
    assert_eq!((again.status, again.json()), (200, block.clone()), "it was there");
    assert_eq!(admin.ask("GET", "/api/v1/blocks").json(), json!({"items": [block], "next": null}));
    let remove = "/api/v1/blocks?rule=http%3A%2F%2Fevil.example%2Fb%3Fx%3D1";
    assert_eq!(admin.ask("DELETE", remove).status, 204);
    assert_problem(&admin.ask("DELETE", remove), 404, "not-found");
    assert_eq!(rules(&mut admin, ""), (vec![], Value::Null));
}

#[test]
fn what_is_no_rule_names_its_field() {
    let site = Site::shared();
    let mut admin = site.admin();
    for body in [json!({}), json!({"rule": null}), json!({"rule": 7}), json!({"rule": "a b"}), json!({"rule": "co.uk"})]
    {
        assert_bad_field(&admin.send("POST", "/api/v1/blocks", &body), "#/rule");
    }
    assert_bad_field(&admin.send("POST", "/api/v1/blocks", &json!({"rule": "a.example", "why": ""})), "#/why");
    assert_bad_field(&admin.ask("DELETE", "/api/v1/blocks"), "#/rule");
    assert_bad_field(&admin.ask("DELETE", "/api/v1/blocks?rule=%00"), "#/rule");
    for (query, field) in
        [("limit=0", "limit"), ("limit=1001", "limit"), ("cursor=%00", "cursor"), ("after=a", "after")]
    {
        assert_bad_field(&admin.ask("GET", &format!("/api/v1/blocks?{query}")), &format!("#/{field}"));
    }
    for (query, field) in [("limit=x", "limit"), ("cursor=-1", "cursor"), ("cursor=a", "cursor")] {
        assert_bad_field(&admin.ask("GET", &format!("/api/v1/blocks/changes?{query}")), &format!("#/{field}"));
    }
}

#[test]
fn rules_come_in_pages() {
    let site = Site::start(&program());
    let mut admin = site.admin();
    for rule in ["c.example", "a.example/x?y=z", "b.example"] {
        add(&mut admin, rule);
    }
    let (first, next) = rules(&mut admin, "?limit=2");
    assert_eq!(first, ["a.example/x?y=z", "b.example"]);
    assert_eq!(next, json!("b.example"));
    assert_eq!(rules(&mut admin, "?limit=2&cursor=b.example"), (vec!["c.example".to_owned()], Value::Null));
}

#[test]
fn who_changed_what_is_on_record() {
    let site = Site::start(&program());
    let mut admin = site.admin();
    add(&mut admin, "evil.example");
    assert!(site.hny().program().run(["block", "remove", "evil.example"]).status.success());
    let log = admin.ask("GET", "/api/v1/blocks/changes").json();
    let items = log["items"].as_array().unwrap();
    let told: Vec<_> = items.iter().map(|item| (text(item, "version"), text(item, "action"), &item["by"])).collect();
    let of = |version: &str, action: &str| (version.to_owned(), action.to_owned());
    let ((first, added), (second, removed)) = (of("1", "added"), of("2", "removed"));
    assert_eq!(told, [(first, added, &json!("1")), (second, removed, &Value::Null)]);
    assert_eq!((names(&items[0]), &log["next"]), (vec!["action", "at", "by", "rule", "version"], &Value::Null));
    let behind = admin.ask("GET", "/api/v1/blocks/changes?cursor=1&limit=5").json();
    assert_eq!(behind["items"], json!([items[1]]));
}

#[test]
fn only_admins_have_to_do_with_blocks() {
    let site = Site::shared();
    let body = json!({"rule": "a.example"}).to_string();
    for role in ["editor", "creator", "reader"] {
        let made = site.hny().program().run(["key", "create", "--name", role, "--role", role]);
        let mut caller = Caller::new(site.visitor(), String::from_utf8(made.stdout).unwrap().trim_end());
        assert_problem(&caller.send("POST", "/api/v1/blocks", &json!({"rule": "a.example"})), 403, "not-allowed");
        for (method, target) in [("GET", ""), ("GET", "/changes"), ("DELETE", "?rule=a.example")] {
            assert_problem(&caller.ask(method, &format!("/api/v1/blocks{target}")), 403, "not-allowed");
        }
    }
    let headers = [("Content-Type", "application/json")];
    for (method, target) in [("POST", ""), ("GET", ""), ("GET", "/changes"), ("DELETE", "?rule=a.example")] {
        let target = format!("/api/v1/blocks{target}");
        assert_problem(&site.visitor().request(method, &target, &headers, body.as_bytes()), 401, "key-needed");
    }
}

#[test]
fn what_is_blocked_is_refused_to_everyone_in_any_spelling() {
    let site = Site::start(&program());
    let mut admin = site.admin();
    let path = admin.link(&json!({"originalUrl": "https://example.com/"}));
    add(&mut admin, "evil.example");
    add(&mut admin, "shared.example/evil/");
    for target in [
        "https://evil.example/",
        "http://www.EVIL.example:8080/x",
        "https://evil.example./",
        "https://ev%69l.example/",
        "https://shared.example//evil/./x?y",
        "https://shared.example/%2565vil/",
    ] {
        assert!(is_refused(&mut admin, target), "{target}");
        assert_bad_field(&admin.edit(&path, &json!({"originalUrl": target})), "#/originalUrl");
        let headers = [("Content-Type", "application/json")];
        let body = json!({"url": target}).to_string();
        assert_bad_field(&site.visitor().request("POST", "/shorten", &headers, body.as_bytes()), "#/originalUrl");
    }
    for target in ["https://notevil.example/", "https://shared.example/", "https://shared.example/evil"] {
        assert!(!is_refused(&mut admin, target), "{target}");
    }
    let shortened = site.hny().program().run(["shorten", "https://evil.example/"]);
    assert_eq!(shortened.status.code(), Some(2), "{shortened:?}");
}

#[test]
fn links_to_ourselves_are_refused_when_they_are_changed_too() {
    let site = Site::with("HNY_BASE_URL", "https://b\u{fc}cher.example/s");
    let mut admin = site.admin();
    let path = admin.link(&json!({"originalUrl": "https://example.com/"}));
    let circle = path.trim_start_matches('/');
    for host in ["b\u{fc}cher.example", "xn--bcher-kva.example", "XN--BCHER-KVA.EXAMPLE.", "B\u{dc}CHER。example:443"]
    {
        for target in [format!("https://{host}/s/{circle}"), format!("https://{host}/elsewhere")] {
            assert!(is_refused(&mut admin, &target), "{target}");
            assert_bad_field(&admin.edit(&path, &json!({"originalUrl": target})), "#/originalUrl");
        }
    }
    assert_bad_field(&admin.edit(&path, &json!({"originalUrl": "https://x@xn--bcher-kva.example/"})), "#/originalUrl");
}

#[test]
fn private_targets_are_refused_where_the_setting_says_so() {
    let targets = [
        "http://127.0.0.1:9/",
        "http://2130706433:9/",
        "http://[::ffff:10.0.0.1]/",
        "http://192.168.1.1/",
        "http://169.254.169.254/latest",
        "http://printer.local/",
        "http://intranet/",
    ];
    let (open, strict) = (Site::shared(), Site::with("HNY_PRIVATE_TARGETS", "refuse"));
    for target in targets {
        assert!(is_refused(&mut strict.admin(), target) && !is_refused(&mut open.admin(), target), "{target}");
    }
    assert!(!is_refused(&mut strict.admin(), "https://8.8.8.8/"));
}

/// What one node blocks, the other refuses within a second; and lets through again as soon.
fn nodes_agree(program: &Program) {
    let (here, there) = (Site::start(program), Site::start(program));
    let (mut admin, mut other) = (here.admin(), there.admin());
    for round in 0..3 {
        let rule = format!("evil{round}.example");
        let target = format!("https://www.{rule}/");
        add(&mut admin, &rule);
        assert!(is_refused(&mut admin, &target), "at once where it was added");
        until_some_within(PROMISE, || is_refused(&mut other, &target).then_some(()));
        assert_eq!(admin.ask("DELETE", &format!("/api/v1/blocks?rule={rule}")).status, 204);
        until_some_within(PROMISE, || (!is_refused(&mut other, &target)).then_some(()));
    }
    add(&mut admin, "evil.example");
    assert!(is_refused(&mut Site::start(program).admin(), "https://evil.example/"), "a node that starts knows all");
}

#[test]
fn nodes_on_one_file_agree_within_a_second() {
    nodes_agree(&program());
}

#[test]
fn nodes_on_postgres_agree_within_a_second() {
    nodes_agree(&postgres::program());
}

#[test]
fn files_are_read_at_the_start_and_again_when_they_change() {
    let program = program();
    let folder = program.folder().to_owned();
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
    write("hosts", "# a list\n0.0.0.0 evil.example\n127.0.0.1 localhost\n");
    write("urls.csv", "id,url\n1,\"https://shared.example/a,b\"\n");
    let site = Site::start(&program.env("HNY_BLOCKLISTS", "hosts,urls.csv#url"));
    let mut admin = site.admin();
    assert!(is_refused(&mut admin, "https://a.evil.example/") && is_refused(&mut admin, "https://shared.example/a,b"));
    assert!(!is_refused(&mut admin, "https://shared.example/") && !is_refused(&mut admin, "https://new.example/"));
    write("hosts", "0.0.0.0 new.example evil.example\n");
    crate::instant::until_some(|| is_refused(&mut admin, "https://new.example/").then_some(()));
    assert!(is_refused(&mut admin, "https://evil.example/") && is_refused(&mut admin, "https://shared.example/a,b"));
}

#[test]
fn a_list_that_cannot_be_read_stops_the_start() {
    let program = program();
    let refused = program.clone().env("HNY_BLOCKLISTS", "absent").try_start().err().unwrap();
    let said = String::from_utf8(refused.stderr).unwrap();
    assert!(said.contains("the blocklist \"absent\" cannot be read"), "{said}");
    std::fs::write(program.folder().join("page"), "<!doctype html>").unwrap();
    let refused = program.env("HNY_BLOCKLISTS", "page").try_start().err().unwrap();
    assert!(String::from_utf8(refused.stderr).unwrap().contains("is an HTML page"));
}
