//! What becomes of the visitor's query.

use serde_json::json;

use crate::site::Site;

#[test]
fn the_query_goes_behind_that_of_the_target_and_before_its_fragment() {
    let site = Site::shared();
    for (target, query, location) in [
        ("https://example.com/p?a=1#frag", "?b=2", "https://example.com/p?a=1&b=2#frag"),
        ("https://example.com/p?a=1#frag", "?", "https://example.com/p?a=1#frag"),
        ("https://example.com/p?a=1#frag", "", "https://example.com/p?a=1#frag"),
        ("https://example.com/p?a=1#frag", "?a=9", "https://example.com/p?a=1&a=9#frag"),
        ("https://example.com/p#frag", "?b=2", "https://example.com/p?b=2#frag"),
        ("https://example.com/p?", "?b=2", "https://example.com/p?b=2"),
        ("https://example.com/p?a&", "?b", "https://example.com/p?a&b"),
        ("https://example.com/#/route?x=1", "?b=2", "https://example.com/?b=2#/route?x=1"),
        (
            "https://example.com/p?123",
            "?7=x&007=y&a[]=1&a[]=2&a=3",
            "https://example.com/p?123&7=x&007=y&a[]=1&a[]=2&a=3",
        ),
        ("https://example.com/p", "?%2B+%20&&=&x=?y#z", "https://example.com/p?%2B+%20&&=&x=?y"),
        ("https://example.com/p", r"?q='a'\|{}[]^`", r"https://example.com/p?q='a'\|{}[]^`"),
        ("https://example.com/p", "?to=//evil.example/", "https://example.com/p?to=//evil.example/"),
    ] {
        let path = site.admin().link(&json!({"originalUrl": target}));
        let answer = site.visitor().get(&format!("{path}{query}"));
        assert_eq!((answer.status, answer.headers("location")), (302, vec![location]), "{target} {query}");
    }
}

#[test]
fn a_query_that_no_header_may_hold_is_percent_encoded() {
    let site = Site::shared();
    let path = site.admin().link(&json!({"originalUrl": "https://example.com/p"}));
    let answer = site.visitor().get(&format!("{path}?q=ä👋"));
    assert_eq!(answer.headers("location"), ["https://example.com/p?q=%C3%A4%F0%9F%91%8B"]);
}

#[test]
fn a_link_may_keep_the_query_to_itself() {
    let site = Site::shared();
    let path = site.admin().link(&json!({"originalUrl": "https://example.com/p?a=1#f", "forwardQuery": false}));
    let answer = site.visitor().get(&format!("{path}?b=2"));
    assert_eq!(answer.headers("location"), ["https://example.com/p?a=1#f"]);
}

#[test]
fn the_setting_decides_for_links_that_do_not_say() {
    let site = Site::with("HNY_FORWARD_QUERY", "false");
    let mut admin = site.admin();
    let silent = admin.link(&json!({"originalUrl": "https://example.com/p"}));
    let own = admin.link(&json!({"originalUrl": "https://example.com/p", "forwardQuery": true}));
    let mut visitor = site.visitor();
    assert_eq!(visitor.get(&format!("{silent}?b=2")).headers("location"), ["https://example.com/p"]);
    assert_eq!(visitor.get(&format!("{own}?b=2")).headers("location"), ["https://example.com/p?b=2"]);
}

#[test]
fn a_long_query_on_the_longest_target_still_arrives() {
    let site = Site::shared();
    let target = format!("https://example.com/{}", "t".repeat(8192 - 20));
    let path = site.admin().link(&json!({"originalUrl": target}));
    let query = "q".repeat(16_000);
    let answer = site.visitor().get(&format!("{path}?{query}"));
    assert_eq!(answer.headers("location"), [format!("{target}?{query}")]);
}
