//! Codes of a length that are used up.

use std::time::{Duration, Instant};

use hny_testkit::DEADLINE;
use serde_json::json;

use super::{TARGET, lease_away, make, making};
use crate::caller::text;
use crate::document::assert_problem;
use crate::site::Site;

#[test]
fn when_codes_are_used_up_creates_are_a_503_and_links_go_on() {
    for scheme in ["counter", "permuted"] {
        let program = making(scheme).env("HNY_CODE_LENGTH", "4");
        lease_away(&program, 62_u32.pow(4) - 3);
        let mut site = Site::start(&program);
        let codes: Vec<_> = (0..3).map(|_| make(&site, TARGET)).collect();
        for _ in 0..3 {
            let start = Instant::now();
            let refused = site.admin().shorten(&json!({"originalUrl": TARGET}));
            assert_problem(&refused, 503, "unavailable");
            assert!(refused.header("retry-after").is_some(), "{refused:?}");
            assert!(refused.text().contains("longer codes"), "{}", refused.text());
            assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
        }
        for code in codes {
            super::assert_leads(&site, &code, TARGET);
        }
        let by_hand = site.hny().program().run(["shorten", TARGET]);
        assert_eq!(by_hand.status.code(), Some(1), "{by_hand:?}");
        assert!(String::from_utf8_lossy(&by_hand.stderr).contains("HNY_CODE_LENGTH"), "{by_hand:?}");
        site.stop();
        let longer = Site::start(&program.env("HNY_CODE_LENGTH", "5"));
        assert_eq!(make(&longer, TARGET).len(), 5);
    }
}

/// Codes that an earlier key gave, so many in a row that nobody skips them all at once.
#[test]
fn a_counter_that_meets_many_taken_codes_gives_up_soon_and_gets_past_them() {
    let page = "https://app.example";
    let site = Site::start(&making("counter").env("HNY_CODE_LENGTH", "4").env("HNY_CORS_ORIGINS", page));
    let codes = hny_codes::CounterCodes::new(4).unwrap();
    let mut admin = site.admin();
    for number in 0..150 {
        let code = codes.code(number).unwrap();
        admin.create(&json!({"originalUrl": TARGET, "customCode": &*code, "allowLookalike": true}));
    }
    let start = Instant::now();
    let body = json!({"originalUrl": TARGET}).to_string();
    let json = ("Content-Type", "application/json");
    let headers = [json, ("X-Api-Key", site.key()), ("Idempotency-Key", "again"), ("Origin", page)];
    let ask = || site.visitor().request("POST", "/api/shorten", &headers, body.as_bytes());
    let refused = ask();
    assert_problem(&refused, 503, "unavailable");
    assert_eq!(refused.header("access-control-allow-origin"), Some(page), "a page may read that, too");
    // That it could not be done is not the last word on a request: it may come again as it was.
    let made = ask();
    assert_eq!((made.status, text(&made.json(), "shortCode")), (201, codes.code(150).unwrap().to_string()));
    assert_eq!(ask().body, made.body);
    assert!(start.elapsed() < DEADLINE);
}
