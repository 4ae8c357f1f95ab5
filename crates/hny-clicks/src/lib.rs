#![doc = include_str!("../README.md")]

mod bell;
mod block;
#[cfg(feature = "clickhouse")]
pub mod clickhouse;
mod flush;
pub mod folder;
mod gatherer;
mod haul;
mod intake;
mod pace;
mod record;
pub mod recorder;
mod rings;
mod seen;
mod segment;
mod shipper;
mod sink;
mod spool;
mod stock;
mod syncer;
pub mod tally;
mod waiting;
mod writer;

pub use folder::SpoolError;
pub use recorder::{Recorder, Spooling};
pub use tally::{Counts, Losses};
pub use writer::LEAST_LIMIT;
