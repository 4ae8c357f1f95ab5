//! What became of lookups in the shared cache.

use std::sync::atomic::{AtomicU64, Ordering};

/// What became of one lookup in the shared cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It was answered from there.
    Hit,
    /// Nothing was known there.
    Miss,
    /// A newer change was known here.
    Old,
    /// The database was quicker.
    Late,
    /// There was no answer.
    Failed,
    /// It was not asked: Redis is left out, or the run of Redis is a new one.
    Skipped,
}

impl Outcome {
    const ALL: [(Self, &'static str); 6] = [
        (Self::Hit, "hit"),
        (Self::Miss, "miss"),
        (Self::Old, "old"),
        (Self::Late, "late"),
        (Self::Failed, "failed"),
        (Self::Skipped, "skipped"),
    ];
}

/// How many lookups had which outcome.
#[derive(Debug, Default)]
pub(crate) struct Counts([AtomicU64; Outcome::ALL.len()]);

impl Counts {
    pub(crate) fn note(&self, outcome: Outcome) {
        self.0[outcome as usize].fetch_add(1, Ordering::Relaxed);
    }

    /// Each outcome by its name.
    pub(crate) fn read(&self) -> Vec<(&'static str, u64)> {
        Outcome::ALL.iter().map(|(outcome, name)| (*name, self.0[*outcome as usize].load(Ordering::Relaxed))).collect()
    }
}
