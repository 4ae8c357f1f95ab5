use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};

use hny_domain::{Code, DomainId, Lead, LinkId, Rules, Version};
use proptest::prelude::*;

use super::*;
use crate::key::Key;

/// Much.
const AMPLE: usize = 1 << 24;

fn key(number: u32) -> Key {
    Key::new(DomainId(number % 3), &Code::parse(&format!("c{number}")).unwrap())
}

fn link(number: u32) -> Found {
    Found::link(
        key(number),
        Lead {
            link: LinkId(number.into()),
            target: "https://example.com/",
            expired_url: None,
            rules: Rules::PLAIN,
            version: Version(1),
        },
    )
}

/// Spreads numbers over all marks (Knuth's multiplication), as a hash does.
fn mark(number: u32) -> Mark {
    number.wrapping_mul(2_654_435_769).rotate_left(16)
}

fn has(table: &mut Table, mark: Mark, number: u32) -> bool {
    let key = key(number);
    let found = table.get(mark, &key.sought());
    assert!(found.is_none_or(|found| found.lead().link == LinkId(number.into())), "{number}");
    found.is_some()
}

/// What is true between any two steps.
fn check(table: &Table) {
    let kept: Vec<_> = table.lines.iter().flat_map(|line| line.kept.iter().flatten()).collect();
    assert_eq!(kept.len(), table.entries);
    assert_eq!(kept.iter().map(|found| found.bytes()).sum::<usize>(), table.bytes);
    assert!(table.lines.len().is_power_of_two());
}

#[test]
fn a_line_is_a_line_of_the_processor() {
    assert_eq!((size_of::<Line>(), align_of::<Line>()), (64, 64));
}

#[test]
fn where_there_is_room_nothing_is_thrown_out() {
    let (mut table, hash) = (Table::new(AMPLE), RandomState::new());
    #[expect(clippy::cast_possible_truncation, reason = "as the cache does")]
    let mark = |number: u32| hash.hash_one(number) as Mark;
    for number in 0..50_000 {
        table.insert(mark(number), link(number));
    }
    check(&table);
    let lost: Vec<_> = (0..50_000).filter(|number| !has(&mut table, mark(*number), *number)).collect();
    assert_eq!(lost, [0; 0]);
    assert!(!has(&mut table, mark(50_000), 50_000));
    // From two fifths full, just doubled, to four fifths.
    let places = table.places();
    assert!((62_500..=125_000).contains(&places), "{places} places");
}

#[test]
fn most_are_in_their_own_line_also_when_the_table_is_as_full_as_it_gets() {
    let mut table = Table::new(AMPLE);
    let mut number = 0;
    while table.entries < 20_000 || table.entries * 5 < table.places() * 4 - 5 {
        table.insert(mark(number), link(number));
        number += 1;
    }
    let further = table.lines.iter().enumerate();
    let further = further.flat_map(|(at, line)| line.kept.iter().zip(line.marks).map(move |place| (at, place)));
    let further = further.filter(|(at, (kept, mark))| kept.is_some() && table.line_of(*mark) != *at).count();
    assert!(further * 5 < table.entries, "{further} of {} are further", table.entries);
}

#[test]
fn what_is_asked_for_again_and_again_stays() {
    let mut table = Table::new(64 * 1024);
    let often = 0..100;
    for number in 0..100_000 {
        if !has(&mut table, mark(number % 100), number % 100) {
            table.insert(mark(number % 100), link(number % 100));
        }
        table.insert(mark(number + 1000), link(number + 1000));
        assert!(table.bytes() <= 64 * 1024 + 200, "{}", table.bytes());
    }
    check(&table);
    let kept = often.filter(|number| has(&mut table, mark(*number), *number)).count();
    assert!(kept > 95, "{kept} of 100 links that are asked for each hundredth time");
}

/// No hash does this, and if one did, the table would be slow to nobody else.
#[test]
fn entries_with_one_mark_take_no_more_than_their_reach() {
    let mut table = Table::new(AMPLE);
    for number in 0..10_000 {
        table.insert(7, link(number));
    }
    check(&table);
    assert!(table.entries <= REACH * PLACES && table.lines.len() <= 64, "{} in {}", table.entries, table.lines.len());
    assert!(has(&mut table, 7, 9_999), "the last one is kept");
}

#[derive(Debug, Clone)]
enum Step {
    Insert(u32),
    Remove(u32),
}

proptest! {
    /// Few keys and fewer marks, so that lines are full, and a table that grows now and then.
    #[test]
    fn a_table_is_a_map(
        steps in proptest::collection::vec((0_u32..60).prop_flat_map(|n| prop_oneof![Just(Step::Insert(n)), Just(Step::Remove(n))]), 0..400),
        spread in 1_u32..40,
    ) {
        let mut table = Table::new(AMPLE);
        let mut map = HashSet::new();
        for step in steps {
            match step {
                Step::Insert(number) if !map.contains(&number) => {
                    table.insert(mark(number % spread), link(number));
                    map.insert(number);
                }
                Step::Insert(_) => {}
                Step::Remove(number) => {
                    table.remove(mark(number % spread), &key(number).sought());
                    map.remove(&number);
                    prop_assert!(!has(&mut table, mark(number % spread), number));
                }
            }
            check(&table);
            for number in 0..60 {
                // With few marks some are thrown out; what was removed never comes back, and what is there is itself.
                let kept = has(&mut table, mark(number % spread), number);
                prop_assert!(map.contains(&number) || !kept, "{number}");
                prop_assert!(spread < 12 || kept == map.contains(&number), "{number}");
            }
        }
    }
}
