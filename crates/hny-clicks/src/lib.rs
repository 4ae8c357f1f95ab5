#![doc = include_str!("../README.md")]

mod bell;
mod flush;
mod intake;
mod pace;
mod pending;
pub mod recorder;
mod rings;
mod sink;
pub mod tally;
mod writer;

pub use recorder::Recorder;
pub use tally::Counts;
