//! A database in use moves from one scheme or length to another.

use std::collections::BTreeMap;

use super::{assert_leads, make, making_with, program};
use crate::site::Site;

#[test]
fn old_links_keep_working_and_no_code_comes_twice() {
    let program = program();
    let mut links = BTreeMap::new();
    for (turn, (scheme, length)) in [
        ("random", "7"),
        ("counter", "7"),
        ("counter", "4"),
        ("permuted", "4"),
        ("permuted", "7"),
        ("snowflake", "7"),
        ("hash", "7"),
        ("hash", "4"),
        ("random", "4"),
        ("permuted", "4"),
        ("counter", "5"),
        ("random", "7"),
    ]
    .into_iter()
    .enumerate()
    {
        let mut site = Site::start(&making_with(&program, scheme).env("HNY_CODE_LENGTH", length));
        for number in 0..20 {
            let target = format!("https://example.com/{turn}/{number}");
            let code = make(&site, &target);
            assert_eq!(links.insert(code, target), None, "{scheme} of {length}");
        }
        for (code, target) in &links {
            assert_leads(&site, code, target);
        }
        site.stop();
    }
}

/// What a scheme would give next was chosen by somebody before: it goes on with another.
#[test]
fn a_code_that_is_in_use_is_not_given() {
    let program = program();
    let mut site = Site::start(&program);
    for code in ["0000", "0001", "0002", "0004"] {
        site.admin().create(&serde_json::json!({"originalUrl": super::TARGET, "customCode": code}));
    }
    site.stop();
    let site = Site::start(&making_with(&program, "counter").env("HNY_CODE_LENGTH", "4"));
    assert_eq!([make(&site, "https://example.org/a"), make(&site, "https://example.org/b")], ["0003", "0005"]);
    assert_leads(&site, "0000", super::TARGET);
}
