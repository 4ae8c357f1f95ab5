//! `GET /api/v1/links`: lists by cursor (B57), of what one may see (B62).

use std::collections::BTreeSet;
use std::thread;

use serde_json::{Value, json};

use super::TARGET;
use crate::caller::{Caller, text};
use crate::document::{assert_bad_field, assert_json, assert_problem, names};
use crate::keeper::Keeper;
use crate::site::{Site, program};

const PATH: &str = "/api/v1/links";

/// All items of a list, page by page.
fn all(caller: &mut Caller, query: &str) -> Vec<Value> {
    let (mut items, mut cursor) = (Vec::new(), String::new());
    loop {
        let answer = caller.ask("GET", &format!("{PATH}?{query}{cursor}"));
        assert_eq!(answer.status, 200, "{query} {}", answer.text());
        assert_json(&answer);
        let page = answer.json();
        assert_eq!(names(&page), ["items", "next"]);
        items.extend(page["items"].as_array().unwrap().iter().cloned());
        match page["next"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => return items,
        }
    }
}

fn codes(items: &[Value]) -> Vec<String> {
    items.iter().map(|item| text(item, "shortCode")).collect()
}

#[test]
fn items_are_links_as_they_are_read_the_newest_first() {
    let site = Site::start(&program());
    let mut admin = site.admin();
    assert_eq!(all(&mut admin, ""), [Value::Null; 0]);
    let mut made: Vec<_> = (0..3).map(|_| admin.link(&json!({"originalUrl": TARGET}))).collect();
    made.reverse();
    let read: Vec<_> = made.iter().map(|path| admin.read(path).json()).collect();
    assert_eq!(all(&mut admin, ""), read);
    assert_eq!(all(&mut admin, "limit=1&order=-created"), read);
}

#[test]
fn filters_search_and_order_choose() {
    Keeper::on_both(|keeper| {
        let mut admin = keeper.admin();
        admin.create(&json!({"originalUrl": "https://example.com/Spring", "customCode": "first"}));
        admin.create(&json!({"originalUrl": TARGET, "customCode": "second", "title": "Summer", "active": false}));
        admin.create(&json!({"originalUrl": TARGET, "customCode": "third", "tags": ["Fall", "it's"]}));
        let (path, clicks) = keeper.link();
        keeper.take(clicks.person("2026-01-01T12:00:00Z", 1));
        let fourth = &path[1..];
        for (query, expected) in [
            ("order=created", &["first", "second", "third", fourth][..]),
            ("order=-clicks&limit=2", &[fourth, "third", "second", "first"]),
            ("search=spring", &["first"]),
            ("search=SUMM", &["second"]),
            ("search=fall", &["third"]),
            ("search=IRS", &["first"]),
            ("search=%27--", &[]),
            ("tag=Fall", &["third"]),
            ("tag=it%27s", &["third"]),
            ("tag=fall", &[]),
            ("state=disabled", &["second"]),
            ("state=active&order=created&limit=1", &["first", "third", fourth]),
            ("createdFrom=2100-01-01T00:00:00Z", &[]),
            ("createdTo=2100-01-01T00:00:00Z&order=created&state=disabled", &["second"]),
        ] {
            assert_eq!(codes(&all(&mut admin, query)), expected, "{query}");
        }
    });
}

#[test]
fn bad_values_are_named() {
    let site = Site::shared();
    let mut admin = site.admin();
    let bad = ["0", "-1", "201", "1e12", "1000000000000", "abc", "1%3BDROP%20TABLE%20x", "1%20UNION%20SELECT%201", ""];
    for limit in bad {
        assert_bad_field(&admin.ask("GET", &format!("{PATH}?limit={limit}")), "#/limit");
    }
    for (name, value) in [
        ("cursor", "x"),
        ("cursor", "-1"),
        ("cursor", "1%27%20OR%201"),
        ("order", "title%3B--"),
        ("order", "title"),
        ("state", "Active"),
        ("domain", "other.example"),
        ("createdFrom", "2030-01-01"),
        ("createdTo", "now"),
        ("search", ""),
        ("tag", ""),
        ("page", "1"),
    ] {
        assert_bad_field(&admin.ask("GET", &format!("{PATH}?{name}={value}")), &format!("#/{name}"));
    }
    assert_bad_field(&admin.ask("GET", &format!("{PATH}?limit=1&limit=2")), "#/limit");
    let nul = admin.ask("GET", &format!("{PATH}?search=%00&tag=a%00"));
    assert_bad_field(&nul, "#/tag");
}

#[test]
fn there_is_no_order_by_clicks_that_are_counted_elsewhere() {
    let kafka = cfg!(feature = "kafka").then_some("kafka://127.0.0.1:1/clicks");
    for clicks in ["discard:"].into_iter().chain(kafka) {
        let site = Site::with("HNY_CLICKS_URL", clicks);
        let mut admin = site.admin();
        let path = admin.link(&json!({"originalUrl": TARGET}));
        for order in ["clicks", "-clicks"] {
            assert_bad_field(&admin.ask("GET", &format!("{PATH}?order={order}")), "#/order");
        }
        assert_eq!(codes(&all(&mut admin, "order=created")), [&path[1..]], "{clicks}");
    }
}

#[test]
fn pages_have_every_link_once_though_others_come_and_go() {
    Keeper::on_both(|keeper| {
        let mut admin = keeper.admin();
        let rows: Vec<_> = (0..250).map(|number| json!({"originalUrl": format!("{TARGET}/{number}")})).collect();
        let made = admin.send("POST", "/api/v1/links/bulk", &json!({"create": rows})).json();
        let made: BTreeSet<_> =
            made["results"].as_array().unwrap().iter().map(|row| text(&row["link"], "shortCode")).collect();
        assert_eq!(made.len(), 250);
        let (mut seen, mut cursor, mut gone) = (Vec::new(), String::new(), BTreeSet::new());
        loop {
            let page = admin.ask("GET", &format!("{PATH}?limit=20{cursor}")).json();
            seen.extend(codes(page["items"].as_array().unwrap()));
            let Some(next) = page["next"].as_str() else { break };
            cursor = format!("&cursor={next}");
            admin.link(&json!({"originalUrl": TARGET}));
            if gone.len() < 5 {
                let victim = made.iter().find(|code| !seen.contains(code) && !gone.contains(*code)).unwrap();
                assert_eq!(admin.delete(&format!("/{victim}")).status, 204);
                gone.insert(victim.clone());
            }
        }
        let survivors: BTreeSet<_> = made.difference(&gone).cloned().collect();
        let found: Vec<_> = seen.into_iter().filter(|code| survivors.contains(code)).collect();
        assert_eq!(found.len(), survivors.len(), "each once");
        assert_eq!(found.into_iter().collect::<BTreeSet<_>>(), survivors);
    });
}

#[test]
fn nobody_lists_what_is_not_theirs_to_see() {
    let site = Site::shared();
    assert_problem(&site.visitor().request("GET", PATH, &[], b""), 401, "key-needed");
    let unique = json!({"originalUrl": "https://example.com/of-nobody", "customCode": "of-nobody"});
    let made = site.visitor().request(
        "POST",
        "/api/shorten",
        &[("Content-Type", "application/json")],
        unique.to_string().as_bytes(),
    );
    assert_eq!(made.status, 201);
    assert_eq!(codes(&all(&mut site.admin(), "search=of-nobody")), ["of-nobody"]);
    let made = site.hny().program().run(["key", "create", "--name", "creator", "--role", "creator"]);
    let key = String::from_utf8(made.stdout).unwrap().trim_end().to_owned();
    let mut creator = Caller::new(site.visitor(), &key);
    for query in ["", "search=of-nobody", "order=-clicks", "search=of-nobody&order=clicks"] {
        assert_eq!(all(&mut creator, query), [Value::Null; 0], "{query}");
    }
    let own = creator.link(&json!({"originalUrl": TARGET, "tags": ["creators"]}));
    for query in ["", "tag=creators", "order=clicks", "tag=creators&order=-clicks"] {
        assert_eq!(codes(&all(&mut creator, query)), [&own[1..]], "{query}");
    }
}

#[test]
fn many_at_once_may_have_the_same_new_tag() {
    Keeper::on_both(|keeper| {
        let second = Site::start(keeper.site.hny().program());
        let row = json!({"originalUrl": TARGET, "tags": ["brand-new", "brand-new"]});
        thread::scope(|scope| {
            for number in 0..8 {
                let site = if number % 2 == 0 { &keeper.site } else { &second };
                let body = json!({"create": vec![row.clone(); 25]});
                scope.spawn(move || {
                    let made = Caller::new(site.visitor(), keeper.site.key()).send("POST", "/api/v1/links/bulk", &body);
                    let made = made.json()["results"].as_array().unwrap().clone();
                    assert!(made.len() == 25 && made.iter().all(|row| row["status"] == 201), "{made:?}");
                });
            }
        });
        let found: BTreeSet<_> = codes(&all(&mut keeper.admin(), "tag=brand-new")).into_iter().collect();
        assert_eq!(found.len(), 200);
    });
}
