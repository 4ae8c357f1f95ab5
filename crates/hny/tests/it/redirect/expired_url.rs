//! Where visitors go when a link is over.

use hny_testkit::Client;
use serde_json::json;

use super::TARGET;
use crate::document::assert_problem;
use crate::site::Site;

const OVER: &str = "https://example.com/over?a=%2F#b";

fn assert_sent_there(visitor: &mut Client, path: &str) {
    for method in ["GET", "HEAD"] {
        // Neither the query nor what stands behind the code is for where it leads now.
        let answer = visitor.request(method, &format!("{path}?b=2"), &[], b"");
        assert_eq!((answer.status, answer.headers("location")), (302, vec![OVER]), "{method}");
        assert_eq!(answer.header("cache-control"), Some("private, no-store"));
    }
}

#[test]
fn who_comes_too_late_is_sent_there_at_the_instant() {
    let site = Site::shared();
    let mut visitor = site.visitor();
    let path = site.admin().link(&json!({"originalUrl": TARGET, "expiredUrl": OVER, "redirectStatus": 308}));
    assert_eq!(visitor.get(&path).header("location"), Some(TARGET));
    site.admin().end(&path);
    assert_sent_there(&mut visitor, &path);
}

#[test]
fn who_finds_a_link_used_up_is_sent_there() {
    let site = Site::shared();
    let mut visitor = site.visitor();
    let path = site.admin().link(&json!({"originalUrl": TARGET, "maxClicks": 1, "expiredUrl": OVER}));
    assert_eq!(visitor.get(&path).header("location"), Some(TARGET));
    assert_sent_there(&mut visitor, &path);
}

#[test]
fn it_is_changed_and_taken_away() {
    let site = Site::shared();
    let mut admin = site.admin();
    let mut visitor = site.visitor();
    let path = admin.link(&json!({"originalUrl": TARGET}));
    admin.end(&path);
    assert_problem(&visitor.get(&path), 410, "link-gone");
    assert_eq!(admin.edit(&path, &json!({"expiredUrl": OVER})).json()["expiredUrl"], OVER);
    assert_sent_there(&mut visitor, &path);
    assert_eq!(admin.edit(&path, &json!({"expiredUrl": null})).status, 200);
    assert_problem(&visitor.get(&path), 410, "link-gone");
}

#[test]
fn a_link_that_is_switched_off_or_has_not_begun_sends_nobody_there() {
    let site = Site::shared();
    for field in [json!({"active": false}), json!({"validFrom": "2098-01-01T00:00:00Z"})] {
        let mut fields = json!({"originalUrl": TARGET, "expiredUrl": OVER});
        fields.as_object_mut().unwrap().extend(field.as_object().unwrap().clone());
        let path = site.admin().link(&fields);
        assert_problem(&site.visitor().get(&path), 404, "link-not-found");
    }
}
