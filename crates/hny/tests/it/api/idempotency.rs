//! `Idempotency-Key`.

use std::thread;

use hny_testkit::{Client, Response};
use serde_json::{Value, json};

use crate::caller::text;
use crate::document::{assert_bad_field, assert_fields, assert_problem};
use crate::keeper::Keeper;
use crate::site::{Site, program};

const TARGET: &str = "https://example.com/once";

/// Posts with an `Idempotency-Key`, and with an API key if there is one.
fn post(client: &mut Client, (path, key): (&str, &str), api_key: Option<&str>, body: &Value) -> Response {
    let mut headers = vec![("Content-Type", "application/json"), ("Idempotency-Key", key)];
    headers.extend(api_key.map(|api_key| ("X-Api-Key", api_key)));
    client.request("POST", path, &headers, body.to_string().as_bytes())
}

fn create(site: &Site, key: &str, body: &Value) -> Response {
    post(&mut site.visitor(), ("/api/v1/links", key), Some(site.key()), body)
}

fn assert_same(first: &Response, second: &Response) {
    assert_eq!((second.status, second.text()), (first.status, first.text()));
    assert_eq!(second.headers("location"), first.headers("location"));
    assert_eq!(second.header("content-type"), first.header("content-type"));
}

#[test]
fn the_same_again_is_answered_the_same_and_makes_nothing() {
    Keeper::on_both(|keeper| {
        let site = &keeper.site;
        for (key, path) in [("k1", "/api/v1/links"), ("k2", "/api/shorten"), ("k3", "/shorten")] {
            let body = json!({"originalUrl": TARGET});
            let mut client = site.visitor();
            let first = post(&mut client, (path, key), Some(site.key()), &body);
            assert_eq!(first.status, 201, "{}", first.text());
            for key in [key, &format!("\"{key}\"")] {
                assert_same(&first, &post(&mut site.visitor(), (path, key), Some(site.key()), &body));
            }
            let other = post(&mut client, (path, &format!("{key}'")), Some(site.key()), &body);
            assert_ne!(text(&other.json(), "shortCode"), text(&first.json(), "shortCode"), "another key");
        }
    });
}

#[test]
fn the_answer_is_that_of_then() {
    let site = Site::shared();
    let body = json!({"originalUrl": TARGET, "title": "then"});
    let first = create(&site, "then", &body);
    let path = format!("/{}", text(&first.json(), "shortCode"));
    assert_eq!(site.admin().edit(&path, &json!({"title": "now"})).status, 200);
    assert_same(&first, &create(&site, "then", &body));
    assert_eq!(site.admin().delete(&path).status, 204);
    assert_same(&first, &create(&site, "then", &body));
    assert_eq!(site.admin().read(&path).status, 404, "it is not made again");
}

#[test]
fn a_key_belongs_to_one_request() {
    let site = Site::shared();
    let body = json!({"originalUrl": TARGET});
    assert_eq!(create(&site, "mine", &body).status, 201);
    let other = json!({"originalUrl": "https://example.com/other"});
    assert_problem(&create(&site, "mine", &other), 422, "other-request");
    let elsewhere = post(&mut site.visitor(), ("/api/shorten", "mine"), Some(site.key()), &body);
    assert_problem(&elsewhere, 422, "other-request");
    assert_eq!(create(&site, "mine", &body).status, 201, "and it still does");
}

#[test]
fn a_key_belongs_to_who_sent_it() {
    let site = Site::start(&program());
    let body = json!({"originalUrl": TARGET});
    let mut visitor = site.visitor();
    let theirs = post(&mut visitor, ("/api/v1/links", "shared"), Some(site.key()), &body);
    let nobodys = post(&mut visitor, ("/api/v1/links", "shared"), None, &body);
    assert_eq!((theirs.status, nobodys.status), (201, 201));
    assert_ne!(text(&theirs.json(), "shortCode"), text(&nobodys.json(), "shortCode"));
    assert_same(&nobodys, &post(&mut visitor, ("/api/v1/links", "shared"), None, &body));
}

#[test]
fn clients_behind_a_proxy_have_their_own_keys() {
    let site = Site::with("HNY_TRUSTED_PROXIES", "127.0.0.0/8");
    let of = |address: &str| {
        let headers = [("Content-Type", "application/json"), ("Idempotency-Key", "1"), ("X-Forwarded-For", address)];
        let answer = site.visitor().request("POST", "/api/shorten", &headers, br#"{"url":"https://example.com/"}"#);
        assert_eq!(answer.status, 201);
        text(&answer.json(), "shortCode")
    };
    assert_ne!(of("203.0.113.1"), of("203.0.113.2"));
    assert_eq!(of("203.0.113.1"), of("203.0.113.1"));
}

#[test]
fn what_is_answered_again_costs_no_place_within_the_limit() {
    let site = Site::with("HNY_CREATE_LIMIT", "2/1h");
    let body = json!({"originalUrl": TARGET});
    let mut visitor = site.visitor();
    let first = post(&mut visitor, ("/api/shorten", "a"), None, &body);
    for _ in 0..5 {
        assert_same(&first, &post(&mut visitor, ("/api/shorten", "a"), None, &body));
    }
    assert_eq!(post(&mut visitor, ("/api/shorten", "b"), None, &body).status, 201);
    assert_eq!(post(&mut visitor, ("/api/shorten", "c"), None, &body).status, 429);
}

#[test]
fn a_refusal_by_a_limit_is_not_kept() {
    let site = Site::with("HNY_CREATE_LIMIT", "1/1s");
    let body = json!({"originalUrl": TARGET});
    let mut visitor = site.visitor();
    assert_eq!(post(&mut visitor, ("/api/shorten", "a"), None, &body).status, 201);
    loop {
        let answer = post(&mut visitor, ("/api/shorten", "b"), None, &body);
        if answer.status == 201 {
            break;
        }
        assert_eq!(answer.status, 429, "{}", answer.text());
    }
}

#[test]
fn a_taken_code_stays_taken_for_the_request_that_met_it() {
    let site = Site::shared();
    let mut admin = site.admin();
    let path = admin.link(&json!({"originalUrl": TARGET, "customCode": "met-by-a-request"}));
    let body = json!({"originalUrl": TARGET, "customCode": &path[1..]});
    let refused = create(&site, "met", &body);
    assert_fields(&refused, 409, "code-taken", &["#/customCode"]);
    assert_eq!(admin.delete(&path).status, 204);
    assert_same(&refused, &create(&site, "met", &body));
    assert_eq!(create(&site, "met again", &body).status, 201);
}

#[test]
fn what_is_wrong_in_itself_is_not_kept() {
    let site = Site::shared();
    assert_bad_field(&create(&site, "mended", &json!({"originalUrl": "no URL"})), "#/originalUrl");
    assert_eq!(create(&site, "mended", &json!({"originalUrl": TARGET})).status, 201);
}

#[test]
fn a_key_that_is_none_is_named() {
    let site = Site::shared();
    let body = json!({"originalUrl": TARGET});
    for key in ["", "\"\"", "\"open", &"a".repeat(256)] {
        assert_bad_field(&create(&site, key, &body), "#/Idempotency-Key");
    }
    assert_eq!(create(&site, &"a".repeat(255), &body).status, 201);
    let twice = [("Content-Type", "application/json"), ("Idempotency-Key", "a"), ("Idempotency-Key", "b")];
    let answer = site.visitor().request("POST", "/api/shorten", &twice, body.to_string().as_bytes());
    assert_bad_field(&answer, "#/Idempotency-Key");
}

#[test]
fn of_many_at_once_one_makes_the_link_and_all_have_it() {
    Keeper::on_both(|keeper| {
        let site = &keeper.site;
        let second = Site::start(site.hny().program());
        let codes: Vec<String> = thread::scope(|scope| {
            let ask = |number: usize| {
                let site = if number.is_multiple_of(2) { site } else { &second };
                let answer = post(
                    &mut site.visitor(),
                    ("/api/shorten", "many"),
                    Some(keeper.site.key()),
                    &json!({"url": TARGET}),
                );
                assert_eq!(answer.status, 201, "{}", answer.text());
                text(&answer.json(), "shortCode")
            };
            let threads: Vec<_> = (0..10).map(|number| scope.spawn(move || ask(number))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert!(codes.iter().all(|code| *code == codes[0]), "{codes:?}");
    });
}

/// What two nodes make of the rows of one request is one answer.
#[test]
fn of_many_who_send_the_same_rows_all_have_the_same_links() {
    Keeper::on_both(|keeper| {
        let site = &keeper.site;
        let second = Site::start(site.hny().program());
        let body = json!({"create": [{"originalUrl": TARGET}, {"originalUrl": TARGET, "customCode": "once"}, {"url": "none"}]});
        let answers: Vec<Response> = thread::scope(|scope| {
            let ask = |number: usize| {
                let site = if number.is_multiple_of(2) { site } else { &second };
                post(&mut site.visitor(), ("/api/v1/links/bulk", "rows"), Some(keeper.site.key()), &body)
            };
            let threads: Vec<_> = (0..6).map(|number| scope.spawn(move || ask(number))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert_eq!(answers[0].status, 200, "{}", answers[0].text());
        assert_eq!(answers[0].json()["results"][1]["status"], 201);
        for answer in &answers {
            assert_same(&answers[0], answer);
        }
        let other = json!({"create": [{"originalUrl": TARGET}]});
        let refused = post(&mut second.visitor(), ("/api/v1/links/bulk", "rows"), Some(site.key()), &other);
        assert_problem(&refused, 422, "other-request");
    });
}
