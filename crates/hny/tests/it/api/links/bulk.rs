//! `POST /api/v1/links/bulk`: many at once, each by itself.

use hny_testkit::Response;
use serde_json::{Value, json};

use super::TARGET;
use crate::caller::{Caller, text};
use crate::document::{assert_bad_field, assert_fields, assert_json, assert_problem, names};
use crate::keeper::Keeper;
use crate::site::{Site, program};

const PATH: &str = "/api/v1/links/bulk";

fn bulk(caller: &mut Caller, body: &Value) -> Vec<Value> {
    rows(&caller.send("POST", PATH, body))
}

fn rows(answer: &Response) -> Vec<Value> {
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert_json(answer);
    let document = answer.json();
    assert_eq!(names(&document), ["results"]);
    document["results"].as_array().unwrap().clone()
}

fn statuses(rows: &[Value]) -> Vec<u64> {
    rows.iter().map(|row| row["status"].as_u64().unwrap()).collect()
}

#[test]
fn rows_are_answered_in_their_order_and_a_bad_one_spoils_no_other() {
    Keeper::on_both(|keeper| {
        let mut admin = keeper.admin();
        admin.link(&json!({"originalUrl": TARGET, "customCode": "taken"}));
        let results = bulk(
            &mut admin,
            &json!({"create": [
                {"originalUrl": TARGET},
                {"originalUrl": "no URL"},
                {"originalUrl": TARGET, "customCode": "taken"},
                {"originalUrl": TARGET, "customCode": "chosen", "tags": ["same", "same", "same"]},
                {"originalUrl": TARGET, "customCode": "chosen"},
                {"originalUrl": TARGET, "colour": "red"},
                {"originalUrl": TARGET, "tags": ["fine", ""]},
                7,
                {"url": TARGET, "title": "last"},
            ]}),
        );
        assert_eq!(statuses(&results), [201, 400, 409, 201, 409, 400, 400, 400, 201]);
        for (row, pointer) in [
            (1, "#/create/1/originalUrl"),
            (2, "#/create/2/customCode"),
            (4, "#/create/4/customCode"),
            (5, "#/create/5/colour"),
            (6, "#/create/6/tags/1"),
        ] {
            assert_eq!(names(&results[row]), ["problem", "status"]);
            let problem = &results[row]["problem"];
            assert_eq!(
                (&problem["errors"][0]["pointer"], &problem["status"]),
                (&json!(pointer), &results[row]["status"])
            );
        }
        assert_eq!(results[7]["problem"]["type"], "urn:hny:problem:malformed-body");
        for row in [0, 3, 8] {
            let link = &results[row]["link"];
            assert_eq!(names(&results[row]), ["link", "status"]);
            assert_eq!(&admin.read(&format!("/{}", text(link, "shortCode"))).json(), link);
        }
        assert_eq!(results[3]["link"]["tags"], json!(["same"]));
        assert_eq!(results[8]["link"]["title"], "last");
    });
}

#[test]
fn many_are_deleted_each_by_itself() {
    Keeper::on_both(|keeper| {
        let mut admin = keeper.admin();
        let paths: Vec<_> = (0..3).map(|_| admin.link(&json!({"originalUrl": TARGET}))).collect();
        let codes: Vec<_> = paths.iter().map(|path| &path[1..]).collect();
        let wish = json!({"delete": [codes[0], "no-such", codes[1], codes[0], "not a code!", {"shortCode": "x"}]});
        let results = bulk(&mut admin, &wish);
        assert_eq!(statuses(&results), [204, 404, 204, 404, 404, 400]);
        assert_eq!(names(&results[0]), ["status"]);
        assert_eq!(paths.iter().map(|path| admin.read(path).status).collect::<Vec<_>>(), [404, 404, 200]);
        let gone = keeper.site.visitor().request("GET", &paths[0], &[], b"");
        assert_eq!(gone.status, 404, "this node never serves it again");
    });
}

#[test]
fn a_thousand_rows_are_made_and_one_more_is_refused() {
    let site = Site::start(&program());
    let mut admin = site.admin();
    let create = |count: usize| json!({"create": vec![json!({"originalUrl": TARGET}); count]});
    let made = bulk(&mut admin, &create(1_000));
    assert!(made.len() == 1_000 && made.iter().all(|row| row["status"] == 201));
    assert_bad_field(&admin.send("POST", PATH, &create(1_001)), "#/create");
    assert!(bulk(&mut admin, &json!({"create": []})).is_empty());
}

#[test]
fn each_row_has_the_password_that_was_sent_with_it() {
    let site = Site::shared();
    let mut admin = site.admin();
    let password = |number: usize| format!("password {number}");
    // More than may wait to be hashed at once, with a row that has none and one whose password is none.
    let mut wishes: Vec<_> =
        (0..40).map(|number| json!({"originalUrl": TARGET, "password": password(number)})).collect();
    wishes[3] = json!({"originalUrl": TARGET});
    wishes[7] = json!({"originalUrl": TARGET, "password": ""});
    let results = bulk(&mut admin, &json!({"create": wishes}));
    let expected: Vec<_> = (0..40).map(|number| if number == 7 { 400 } else { 201 }).collect();
    assert_eq!(statuses(&results), expected);
    assert_eq!(results[7]["problem"]["errors"][0]["pointer"], "#/create/7/password");
    for (number, row) in results.iter().enumerate().filter(|(number, _)| *number != 7) {
        assert_eq!(row["link"]["hasPassword"], number != 3, "{number}");
    }
    for number in [0, 2, 4, 39] {
        let path = format!("/{}", text(&results[number]["link"], "shortCode"));
        let form = format!("password={}", password(number).replace(' ', "+"));
        let headers = [("Content-Type", "application/x-www-form-urlencoded")];
        let opened = site.visitor().request("POST", &path, &headers, form.as_bytes());
        assert_eq!((opened.status, opened.header("location")), (303, Some(TARGET)), "{number}");
    }
}

#[test]
fn what_is_no_list_of_one_thing_is_refused() {
    let site = Site::shared();
    let mut admin = site.admin();
    for (body, pointer) in [
        (json!({}), "#/create"),
        (json!({"create": [], "delete": []}), "#/delete"),
        (json!({"create": {"originalUrl": TARGET}}), "#/create"),
        (json!({"update": []}), "#/update"),
    ] {
        assert_bad_field(&admin.send("POST", PATH, &body), pointer);
    }
    let head =
        format!("POST {PATH} HTTP/1.1\r\nHost: x\r\nX-Api-Key: {}\r\nContent-Type: application/json\r\n", site.key());
    let large = format!("{head}Content-Length: {}\r\n\r\n", 10 * 1024 * 1024 + 1);
    assert_problem(&site.visitor().raw(large.as_bytes()), 413, "body-too-large");
    let below = json!({"create": [{"originalUrl": TARGET, "note": "x".repeat(9 * 1024 * 1024)}]});
    assert_eq!(statuses(&bulk(&mut admin, &below)), [400], "the row is too large, the body is not");
}

#[test]
fn who_may_not_make_or_change_links_is_refused_as_a_whole() {
    let site = Site::shared();
    let (create, delete) = (json!({"create": [{"originalUrl": TARGET}]}), json!({"delete": ["x"]}));
    let headers = [("Content-Type", "application/json")];
    let nobody = site.visitor().request("POST", PATH, &headers, create.to_string().as_bytes());
    assert_problem(&nobody, 401, "key-needed");
    let made = site.hny().program().run(["key", "create", "--name", "reader", "--role", "reader"]);
    let mut reader = Caller::new(site.visitor(), String::from_utf8(made.stdout).unwrap().trim_end());
    for body in [create, delete] {
        assert_problem(&reader.send("POST", PATH, &body), 403, "not-allowed");
    }
}

#[test]
fn links_of_others_are_not_there_to_be_deleted() {
    let site = Site::shared();
    let path = site.admin().link(&json!({"originalUrl": TARGET}));
    let made = site.hny().program().run(["key", "create", "--name", "creator", "--role", "creator"]);
    let mut creator = Caller::new(site.visitor(), String::from_utf8(made.stdout).unwrap().trim_end());
    let own = creator.link(&json!({"originalUrl": TARGET}));
    let results = bulk(&mut creator, &json!({"delete": [&path[1..], &own[1..]]}));
    assert_eq!(statuses(&results), [404, 204]);
    assert_eq!(site.admin().read(&path).status, 200);
}

#[test]
fn the_same_again_makes_nothing_more() {
    Keeper::on_both(|keeper| {
        let body =
            json!({"create": [{"originalUrl": TARGET}, {"originalUrl": 1}, {"originalUrl": TARGET}]}).to_string();
        let site = &keeper.site;
        let headers = [("Content-Type", "application/json"), ("Idempotency-Key", "b"), ("X-Api-Key", site.key())];
        let post = |body: &str| site.visitor().request("POST", PATH, &headers, body.as_bytes());
        let first = post(&body);
        assert_eq!(statuses(&rows(&first)), [201, 400, 201]);
        assert_eq!(post(&body).text(), first.text());
        assert_problem(&post(&body.replace("page", "other")), 422, "other-request");
        let listed = keeper.admin().ask("GET", "/api/v1/links").json();
        assert_eq!(listed["items"].as_array().unwrap().len(), 2);
    });
}

#[test]
fn a_row_may_be_a_link_that_is_there() {
    Keeper::on_both(|keeper| {
        let mut admin = keeper.admin();
        let row = json!({"originalUrl": TARGET, "reuse": true});
        let results = bulk(&mut admin, &json!({"create": [row, row, row]}));
        let mut statuses = statuses(&results);
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 200, 201]);
        assert!(results.iter().all(|result| result["link"]["shortCode"] == results[0]["link"]["shortCode"]));
        let bad =
            admin.send("POST", "/api/v1/links", &json!({"originalUrl": TARGET, "reuse": true, "customCode": "x"}));
        assert_fields(&bad, 400, "invalid-field", &["#/reuse"]);
    });
}

#[test]
fn rows_that_lead_to_ourselves_or_to_what_is_blocked_are_refused_one_by_one() {
    let site = Site::start(&program());
    let mut admin = site.admin();
    assert_eq!(admin.send("POST", "/api/v1/blocks", &json!({"rule": "evil.example"})).status, 201);
    let port = site.hny().address().port();
    let ours = |host: &str| json!({"originalUrl": format!("http://{host}:{port}/abc")});
    let results = bulk(
        &mut admin,
        &json!({"create": [
            {"originalUrl": TARGET},
            ours("127.0.0.1"),
            ours("LOCALHOST."),
            ours("0x7f.1"),
            ours("[::ffff:127.0.0.1]"),
            {"originalUrl": "https://a.Evil%2eexample/page"},
            {"originalUrl": TARGET, "expiredUrl": "https://evil.example/"},
            {"originalUrl": TARGET, "expiredUrl": ours("127.0.0.1")["originalUrl"]},
            {"originalUrl": "https://evil.example.com/"},
        ]}),
    );
    assert_eq!(statuses(&results), [201, 400, 400, 400, 400, 400, 400, 400, 201]);
    for (row, field) in
        [1, 2, 3, 4, 5].map(|row| (row, "originalUrl")).into_iter().chain([(6, "expiredUrl"), (7, "expiredUrl")])
    {
        let problem = &results[row]["problem"];
        assert_eq!(problem["type"], "urn:hny:problem:invalid-field", "{problem}");
        assert_eq!(problem["errors"][0]["pointer"], format!("#/create/{row}/{field}"), "{problem}");
    }
}
