//! `HNY_CODE_KEY`, and `hny codes adopt-key`.

use std::collections::BTreeSet;
use std::process::Output;

use hny_testkit::Program;

use super::{OTHER_KEY, TARGET, assert_leads, make, making, program};
use crate::site::Site;

fn adopt(program: &Program) -> Output {
    program.run(["codes", "adopt-key", "--json"])
}

fn said(output: &Output) -> (Option<i32>, String) {
    (output.status.code(), String::from_utf8_lossy(&output.stdout).trim_end().to_owned())
}

/// Starts and stops a service; the code of the link it made.
fn made_by(program: &Program) -> String {
    let mut site = Site::start(program);
    let code = make(&site, TARGET);
    site.stop();
    code
}

fn assert_refused(program: &Program) {
    let Err(stopped) = program.try_start() else { panic!("it starts") };
    let said = String::from_utf8(stopped.stderr).unwrap();
    assert_eq!(stopped.status.code(), Some(1), "{said}");
    assert!(said.contains("HNY_CODE_KEY") && said.contains("hny codes adopt-key"), "{said}");
    assert!(!said.contains(OTHER_KEY), "{said}");
}

#[test]
fn another_key_stops_the_start_and_says_how_to_adopt_it() {
    for scheme in ["permuted", "snowflake"] {
        let program = making(scheme);
        made_by(&program);
        assert_refused(&program.clone().env("HNY_CODE_KEY", OTHER_KEY));
        made_by(&program);
    }
}

#[test]
fn an_adopted_key_makes_other_codes_and_leaves_the_old_ones() {
    for scheme in ["permuted", "snowflake"] {
        let program = making(scheme).env("HNY_CODE_LENGTH", "4");
        let other = program.clone().env("HNY_CODE_KEY", OTHER_KEY);
        let mut codes = BTreeSet::from([made_by(&program)]);
        assert_eq!(said(&adopt(&other)), (Some(0), r#"{"epoch":2}"#.to_owned()));
        assert_eq!(said(&adopt(&other)), (Some(0), r#"{"epoch":2}"#.to_owned()), "again changes nothing");
        let site = Site::start(&other);
        for _ in 0..100 {
            assert!(codes.insert(make(&site, TARGET)));
        }
        for code in &codes {
            assert_leads(&site, code, TARGET);
        }
        assert_refused(&program);
    }
}

#[test]
fn another_length_may_have_another_key() {
    let program = making("permuted");
    made_by(&program);
    made_by(&program.clone().env("HNY_CODE_LENGTH", "8").env("HNY_CODE_KEY", OTHER_KEY));
    assert_refused(&program.env("HNY_CODE_KEY", OTHER_KEY));
}

#[test]
fn a_scheme_without_a_key_has_nothing_to_adopt() {
    let refused = adopt(&program());
    assert_eq!(said(&refused), (Some(1), String::new()));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("random"), "{refused:?}");
}

#[test]
fn an_adopted_key_is_told_to_people_too() {
    let adopted = making("permuted").run(["codes", "adopt-key"]);
    assert_eq!(said(&adopted), (Some(0), "epoch 1 of the codes has begun".to_owned()));
}
