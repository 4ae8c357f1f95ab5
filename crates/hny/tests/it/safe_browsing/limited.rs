//! Flagged links that may be followed so many times only.

use serde_json::json;

use super::{EVIL, GOOD, asking, becomes_suspected, provider};
use crate::document::assert_problem;
use crate::site::Site;

#[test]
fn a_warning_uses_up_no_click_and_leads_nobody_past_the_limit() {
    let provider = provider();
    let site = Site::start(&asking(&provider));
    let (mut admin, mut visitor) = (site.admin(), site.visitor());
    let path = admin.link(&json!({"originalUrl": EVIL, "maxClicks": 1}));
    becomes_suspected(&site, &provider);
    for target in [path.clone(), format!("{path}?q=1"), format!("{path}+"), path.clone()] {
        let page = visitor.get(&target);
        assert_eq!(page.status, 200, "{target}");
        assert!(page.text().contains("suspected deceptive page") && !page.text().contains("evil.example"), "{target}");
    }
    assert_eq!(visitor.head(&path).status, 200);
    assert_eq!(admin.read(&path).json()["clicksUsed"], 0);
    assert_eq!(admin.edit(&path, &json!({"originalUrl": GOOD})).status, 200);
    assert_eq!(visitor.get(&path).header("location"), Some(GOOD), "its click is still there");
    assert_problem(&visitor.get(&path), 410, "link-gone");
}
