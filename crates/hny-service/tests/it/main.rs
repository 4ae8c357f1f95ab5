//! The verbs over a real database, with a clock that stands still and randomness that is foreseen.
#![cfg(test)]

mod counter;
mod hash;
mod ids;
mod keys;
mod passed_over;
mod permuted;
mod private;
mod random;
mod receipts;
mod screen;

// What the tests above are written in.
mod service;
mod words;
