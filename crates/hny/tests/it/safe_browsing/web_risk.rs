//! The paid sister, which is told URLs.

use hny_testkit::{Mood, SafeBrowsing};
use serde_json::json;

use super::{flagged, set};
use crate::instant::until_some;
use crate::site::{Site, program};

const TARGET: &str = "https://www.evil.example/page?id=1#top";

/// What of it a server is asked for.
const TOLD: &str = "https://www.evil.example/page?id=1";

#[test]
fn web_risk_refuses_and_warns_and_is_told_no_fragment() {
    let provider = SafeBrowsing::start();
    // So that the link is made.
    provider.set(Mood::Holds);
    provider.list_url(TOLD);
    let site = Site::start(&set(&program(), &provider, "webrisk"));
    let (mut admin, mut visitor) = (site.admin(), site.visitor());
    let path = admin.link(&json!({"originalUrl": TARGET}));
    provider.set(Mood::Answers);
    let page = flagged(&mut visitor, &path);
    for words in ["the page may harm your computer", "https://cloud.google.com/web-risk/docs/advisory", "page?id=1#top"]
    {
        assert!(page.text().contains(words), "{words} in {}", page.text());
    }
    let refused = admin.send("POST", "/api/v1/links", &json!({"originalUrl": TARGET}));
    assert_eq!(refused.status, 400, "what is known is said at once: {}", refused.text());
    assert!(refused.text().contains("https://cloud.google.com/web-risk/docs/advisory"), "{}", refused.text());
    admin.link(&json!({"originalUrl": "https://other.example/"}));
    until_some(|| (provider.told().len() == 2).then_some(()));
    assert_eq!(provider.told(), [TOLD, "https://other.example/"]);
}
