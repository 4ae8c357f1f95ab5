//! A short run of each target, the same every time.
#![cfg(test)]

use std::panic::catch_unwind;
use std::thread;

use hny_fuzz::mutator::Mutator;
use hny_fuzz::{Target, addresses, bodies, codes, pages, queries, rules, spools, targets, verdicts};

/// How many inputs each target gets, unless `HNY_FUZZ_RUNS` says it.
const RUNS: usize = 30_000;

/// Shows an input when a target panics at it: it becomes a seed.
struct Shown<'a>(&'a [u8]);

impl Drop for Shown<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            eprintln!("at this input: b\"{}\"", self.0.escape_ascii());
        }
    }
}

fn runs() -> usize {
    let asked = std::env::var_os("HNY_FUZZ_RUNS").and_then(|runs| runs.into_string().ok());
    asked.map_or(RUNS, |runs| runs.parse().expect("HNY_FUZZ_RUNS is a number"))
}

fn fuzz(target: &Target) {
    let run = |input: &[u8]| {
        let _shown = Shown(input);
        (target.run)(input);
    };
    target.seeds.iter().for_each(|seed| run(seed));
    let mut mutator = Mutator::new(target, 7);
    for _ in 0..runs() {
        run(&mutator.next_input());
    }
}

#[test]
fn nobody_becomes_somebody_else_by_their_own_claim() {
    fuzz(&addresses::TARGET);
}

#[test]
fn bodies_are_read_strictly_and_faults_are_named() {
    fuzz(&bodies::TARGET);
}

#[test]
fn every_way_to_ask_for_a_code_tells_the_same() {
    fuzz(&codes::TARGET);
}

#[test]
fn a_page_has_one_spelling_and_few_expressions() {
    fuzz(&pages::TARGET);
}

#[test]
fn a_query_is_handed_on_untouched() {
    fuzz(&queries::TARGET);
}

#[test]
fn every_spelling_of_a_rule_is_one_text() {
    fuzz(&rules::TARGET);
}

#[test]
fn a_damaged_spool_is_never_taken_for_something_else() {
    fuzz(&spools::TARGET);
}

#[test]
fn a_target_is_a_url_that_stays_as_it_is() {
    fuzz(&targets::TARGET);
}

#[test]
fn what_a_provider_answers_is_read_or_refused() {
    fuzz(&verdicts::TARGET);
}

/// A fault that no seed has and chance would not meet: the inputs must grow towards it.
#[test]
fn a_planted_fault_is_found() {
    let planted = Target {
        seeds: &[b"https://example.com/"],
        words: &["%2f", "?"],
        run: |input| {
            assert!(!input.windows(4).any(|window| window == b"%2f?") || input.len() < 40, "the planted fault");
        },
    };
    catch_unwind(|| fuzz(&planted)).expect_err("the planted fault is not found");
}
