//! Random moments, which come again with the same seed.

use std::ops::RangeInclusive;
use std::sync::mpsc::channel;
use std::time::Duration;

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

use crate::load::Load;

/// After how many acknowledged links a moment may come.
const LINKS_BEFORE: RangeInclusive<usize> = 1..=300;

/// How many microseconds later it comes then: a commit takes some thousand.
const MICROSECONDS_LATER: RangeInclusive<u64> = 0..=8000;

/// A generator, of which it is said how to have the same one again.
pub(crate) fn seeded() -> StdRng {
    let given = std::env::var_os("FAULTS_SEED");
    let seed = given.map_or_else(rand::random, |text| {
        text.to_str().and_then(|text| text.parse().ok()).expect("a seed is a number")
    });
    println!("seed {seed}; again with FAULTS_SEED={seed}");
    StdRng::seed_from_u64(seed)
}

/// Waits for a random moment in the work of a load; how many links more were acknowledged before it.
pub(crate) fn wait_for_a_moment(load: &Load, random: &mut StdRng) -> usize {
    let links = random.random_range(LINKS_BEFORE);
    load.wait_for(links);
    pass(Duration::from_micros(random.random_range(MICROSECONDS_LATER)));
    links
}

/// Lets some time pass: to be random is all that it is for.
fn pass(time: Duration) {
    let (sender, never) = channel::<()>();
    assert!(never.recv_timeout(time).is_err());
    drop(sender);
}
