//! Every scheme makes links that redirect.

use std::collections::BTreeSet;

use hny_codes::{Permutation, base62};

use super::{KEY, SCHEMES, assert_leads, make, making};
use crate::site::Site;

#[test]
fn every_scheme_makes_codes_of_its_length_that_lead_somewhere() {
    for (scheme, length) in SCHEMES {
        let site = Site::start(&making(scheme));
        let mut codes = BTreeSet::new();
        for number in 0..20 {
            let target = format!("https://example.com/{number}");
            let code = make(&site, &target);
            assert!(code.len() == length && code.bytes().all(|byte| byte.is_ascii_alphanumeric()), "{scheme} {code}");
            assert_leads(&site, &code, &target);
            assert!(codes.insert(code), "{scheme}");
        }
    }
}

#[test]
fn a_counter_counts() {
    let site = Site::start(&making("counter"));
    let codes: Vec<_> = (0..3).map(|_| make(&site, super::TARGET)).collect();
    assert_eq!(codes, ["0000000", "0000001", "0000002"]);
}

#[test]
fn permuted_codes_hide_what_they_count() {
    let site = Site::start(&making("permuted"));
    let codes: Vec<_> = (0..3).map(|_| make(&site, super::TARGET)).collect();
    let permutation = Permutation::new(KEY, 7).unwrap();
    let numbers: Vec<_> = codes.iter().map(|code| permutation.invert(code).unwrap()).collect();
    assert_eq!(numbers, [0, 1, 2]);
}

#[test]
fn the_length_is_that_of_the_setting() {
    for scheme in ["random", "permuted", "counter", "hash"] {
        for length in [4, 12, 32] {
            let site = Site::start(&making(scheme).env("HNY_CODE_LENGTH", length.to_string()));
            let code = make(&site, super::TARGET);
            assert_eq!(code.len(), length, "{scheme} {code}");
            assert_leads(&site, &code, super::TARGET);
        }
    }
}

#[test]
fn a_snowflake_code_keeps_its_length() {
    let site = Site::start(&making("snowflake").env("HNY_CODE_LENGTH", "5"));
    assert_eq!(make(&site, super::TARGET).len(), 11);
}

/// One number, one link: whoever makes a link by hand leaves no gap.
#[test]
fn the_command_line_makes_links_beside_a_service() {
    for (scheme, length) in SCHEMES {
        let site = Site::start(&making(scheme).env("HNY_DATACENTER_ID", "1").env("HNY_WORKER_ID", "2"));
        let first = make(&site, super::TARGET);
        let mut codes = BTreeSet::from([first]);
        for number in 0..3 {
            let target = format!("https://example.org/{number}");
            let made = site.hny().program().run(["shorten", &target]);
            assert!(made.status.success() && made.stderr.is_empty(), "{scheme} {made:?}");
            let url = String::from_utf8(made.stdout).unwrap();
            let code = url.trim_end().rsplit('/').next().unwrap().to_owned();
            assert_eq!(code.len(), length, "{scheme} {code}");
            assert_leads(&site, &code, &target);
            if scheme == "counter" {
                assert_eq!(base62::decode(&code), Ok(1_000 + number), "behind the range of the service");
            }
            assert!(codes.insert(code), "{scheme}");
        }
    }
}
