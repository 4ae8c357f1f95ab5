use hny_domain::{Code, DomainId};

use super::*;

fn changes(versions: RangeInclusive<u64>) -> Vec<Change> {
    let code = Code::parse("a").unwrap();
    versions.map(|version| Change { domain: DomainId::BASE, code: code.clone(), version: Version(version) }).collect()
}

#[test]
fn what_is_ours_is_passed_over_and_forgotten() {
    let own = OwnChanges::default();
    own.note(&changes(5..=6));
    own.note(&changes(7..=9));
    own.note(&changes(12..=12));
    assert_eq!(own.skip(Version(2)), Version(2), "3 and 4 are not ours");
    assert_eq!(own.skip(Version(4)), Version(9));
    assert!(!own.contains(Version(8)), "forgotten");
    assert!(own.contains(Version(12)));
    assert_eq!(own.skip(Version(11)), Version(12));
    assert!(own.lock().is_empty());
}

#[test]
fn a_range_that_was_passed_half_way_is_passed_whole() {
    let own = OwnChanges::default();
    own.note(&changes(1..=10));
    assert_eq!(own.skip(Version(5)), Version(10));
}

#[test]
fn a_range_that_was_reported_before_it_was_noted_does_not_stay() {
    let own = OwnChanges::default();
    own.note(&changes(1..=10));
    assert_eq!(own.skip(Version(10)), Version(10));
    assert!(own.lock().is_empty());
}

#[test]
fn no_changes_are_no_range() {
    let own = OwnChanges::default();
    own.note(&[]);
    assert!(own.lock().is_empty());
}
