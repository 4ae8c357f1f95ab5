//! What becomes of links while the provider fails.

use hny_testkit::{Mood, SafeBrowsing};
use serde_json::json;

use super::{EVIL, asking};
use crate::site::Site;

#[test]
fn links_are_made_and_followed_while_the_provider_is_away() {
    for mood in
        [Mood::Holds, Mood::Status(500), Mood::Status(403), Mood::Busy(60), Mood::Babbles, Mood::Floods, Mood::HangsUp]
    {
        let provider = SafeBrowsing::start();
        provider.set(mood);
        let mut site = Site::start(&asking(&provider).env("HNY_LOG_FORMAT", "text"));
        let (mut admin, mut visitor) = (site.admin(), site.visitor());
        if mood != Mood::Holds {
            admin.link(&json!({"originalUrl": EVIL}));
            site.hny().wait_for_line(|line| line.contains("links are not looked up for").then_some(()));
        }
        for number in 0..3 {
            let path = admin.link(&json!({"originalUrl": format!("{EVIL}/{number}")}));
            assert_eq!(visitor.get(&path).status, 302, "{mood:?}");
            assert_eq!(admin.edit(&path, &json!({"originalUrl": format!("{EVIL}/{number}/2")})).status, 200);
        }
        if mood == Mood::Holds {
            assert!(!provider.asked().is_empty());
        } else {
            assert_eq!(provider.asked().len(), 1, "after a failure it is left alone: {mood:?}");
        }
        site.stop();
    }
}

#[test]
fn a_provider_that_is_left_alone_is_said_once() {
    let provider = SafeBrowsing::start();
    provider.set(Mood::Busy(120));
    let mut site = Site::start(&asking(&provider).env("HNY_LOG_FORMAT", "text"));
    let mut admin = site.admin();
    admin.link(&json!({"originalUrl": EVIL}));
    site.hny().wait_for_line(|line| line.contains("not looked up for 120 seconds").then_some(()));
    admin.link(&json!({"originalUrl": format!("{EVIL}/2")}));
    let log = site.stop();
    assert_eq!(log.matches("not looked up").count(), 1, "{log}");
    assert!(log.contains("429"), "{log}");
}

#[test]
fn nobody_is_asked_unless_the_settings_say_so() {
    let provider = SafeBrowsing::start();
    provider.list("evil.example/", super::DECEPTION);
    let site = Site::start(&asking(&provider).env("HNY_SAFE_BROWSING", "none"));
    let path = site.admin().link(&json!({"originalUrl": EVIL}));
    assert_eq!(site.visitor().get(&path).status, 302);
    assert_eq!(provider.asked(), [""; 0]);
}
