//! The rules of the house, as tests: which crate may know which, where SQL, clocks and randomness may appear, how files
//! are named and how long they may be. Each rule is a function from what it reads to a list of faults, and is shown a
//! bad example beside the real tree, so that it is known to be able to fail.

#![cfg(test)]

mod arrows;
mod cases;
mod documents;
mod names;
mod rooms;
mod rust_source;
mod sizes;
mod sql;
mod tree;
mod walls;
mod words;

/// Fails with every fault at once.
fn assert_none(rule: &str, faults: &[String]) {
    assert!(faults.is_empty(), "{rule}:\n  {}\n", faults.join("\n  "));
}
