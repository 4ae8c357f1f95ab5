#![doc = include_str!("../README.md")]
#![expect(clippy::expect_used, reason = "a panic is what a fuzzer looks for")]

pub mod addresses;
pub mod bodies;
pub mod codes;
pub mod mutator;
pub mod pages;
pub mod queries;
pub mod rules;
pub mod spools;
pub mod targets;
pub mod verdicts;

/// Something that is handed any bytes.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// What to begin with: good inputs, and those that were a fault once.
    pub seeds: &'static [&'static [u8]],
    /// What means something in an input, so that it is not left to chance.
    pub words: &'static [&'static str],
    /// Panics if something is not as it must be.
    pub run: fn(&[u8]),
}
