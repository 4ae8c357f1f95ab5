//! `"reuse": true`: a live link of one's own to the same target will do.

use std::thread;

use serde_json::{Value, json};

use crate::caller::{Caller, text};
use crate::document::{assert_bad_field, assert_fields};
use crate::keeper::Keeper;
use crate::site::Site;

fn reuse(caller: &mut Caller, target: &str) -> (u16, String) {
    let answer = caller.send("POST", "/api/v1/links", &json!({"originalUrl": target, "reuse": true}));
    (answer.status, text(&answer.json(), "shortCode"))
}

fn code(link: &Value) -> String {
    text(link, "shortCode")
}

#[test]
fn the_first_that_will_do_is_answered() {
    Keeper::on_both(|keeper| {
        let mut admin = keeper.admin();
        let (status, first) = reuse(&mut admin, "https://example.com/A?b=C");
        assert_eq!(status, 201);
        admin.create(&json!({"originalUrl": "https://example.com/A?b=C"}));
        for same in ["https://example.com/A?b=C", "https://EXAMPLE.com/A?b=C", "https://example.com:443/A?b=C"] {
            assert_eq!(reuse(&mut admin, same), (200, first.clone()), "{same}");
        }
        for other in ["https://example.com/a?b=C", "https://example.com/A?b=c", "http://example.com/A?b=C"] {
            assert_eq!(reuse(&mut admin, other).0, 201, "{other}");
        }
    });
}

#[test]
fn none_that_is_not_as_good_is_answered() {
    Keeper::on_both(|keeper| {
        let mut admin = keeper.admin();
        let target = "https://example.com/others";
        let over = admin.link(&json!({"originalUrl": target}));
        admin.end(&over);
        for fields in [
            json!({"private": true}),
            json!({"password": "x"}),
            json!({"password": "x", "private": true, "customCode": "hidden"}),
            json!({"maxClicks": 5}),
            json!({"active": false}),
            json!({"expiresAt": "2099-01-01T00:00:00Z"}),
            json!({"validFrom": "2099-01-01T00:00:00Z"}),
        ] {
            let mut fields = fields;
            fields["originalUrl"] = json!(target);
            admin.create(&fields);
        }
        let gone = code(&admin.create(&json!({"originalUrl": target})));
        assert_eq!(admin.delete(&format!("/{gone}")).status, 204);
        let moved = code(&admin.create(&json!({"originalUrl": target})));
        assert_eq!(admin.edit(&format!("/{moved}"), &json!({"originalUrl": "https://example.com/else"})).status, 200);
        let by = keeper.site.hny().program().run(["key", "create", "--name", "other", "--role", "creator"]);
        let mut other = Caller::new(keeper.site.visitor(), String::from_utf8(by.stdout).unwrap().trim_end());
        other.create(&json!({"originalUrl": target}));
        let (status, new) = reuse(&mut admin, target);
        assert_eq!(status, 201);
        let edited = admin.edit(&format!("/{moved}"), &json!({"originalUrl": target}));
        assert_eq!(edited.status, 200);
        assert_eq!(reuse(&mut admin, target), (200, moved), "the first is the one that was made first");
        assert_eq!(admin.delete(&format!("/{new}")).status, 204);
    });
}

#[test]
fn nobody_gets_the_links_of_others() {
    let site = Site::shared();
    let target = "https://example.com/foreign";
    site.admin().create(&json!({"originalUrl": target}));
    let made = site.hny().program().run(["key", "create", "--name", "other", "--role", "editor"]);
    let mut editor = Caller::new(site.visitor(), String::from_utf8(made.stdout).unwrap().trim_end());
    let (status, own) = reuse(&mut editor, target);
    assert_eq!(status, 201);
    assert_eq!(reuse(&mut editor, target), (200, own));
    let headers = [("Content-Type", "application/json")];
    let body = json!({"originalUrl": target, "reuse": true}).to_string();
    let nobody = site.visitor().request("POST", "/api/v1/links", &headers, body.as_bytes());
    assert_fields(&nobody, 401, "key-needed", &["#/reuse"]);
}

#[test]
fn it_goes_with_words_for_a_new_link_and_with_no_rules() {
    let site = Site::shared();
    let mut admin = site.admin();
    for (field, value) in
        [("customCode", json!("x")), ("maxClicks", json!(1)), ("private", json!(true)), ("active", json!(true))]
    {
        let answer =
            admin.send("POST", "/api/v1/links", &json!({"url": "https://a.example/", "reuse": true, field: value}));
        assert_bad_field(&answer, "#/reuse");
    }
    let wish = json!({"url": "https://a.example/words", "reuse": true, "title": "T", "tags": ["a"]});
    assert_eq!(admin.send("POST", "/api/v1/links", &wish).json()["title"], "T");
    let shortened = admin.shorten(&json!({"url": "https://a.example/words", "reuse": true}));
    assert_eq!((shortened.status, shortened.headers("location")), (200, vec![]));
}

#[test]
fn of_many_at_once_one_is_made() {
    Keeper::on_both(|keeper| {
        let made: Vec<_> = thread::scope(|scope| {
            let threads: Vec<_> =
                (0..10).map(|_| scope.spawn(|| reuse(&mut keeper.admin(), "https://example.com/at-once"))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert_eq!(made.iter().filter(|(status, _)| *status == 201).count(), 1, "{made:?}");
        assert!(made.iter().all(|(_, code)| *code == made[0].1), "{made:?}");
    });
}
