#![doc = include_str!("../README.md")]

mod agent;
pub mod anonymiser;
mod bell;
mod block;
#[cfg(feature = "clickhouse")]
pub mod clickhouse;
pub mod country;
mod enricher;
pub mod folder;
mod gatherer;
mod haul;
mod intake;
#[cfg(feature = "kafka")]
mod kafka;
mod pace;
mod record;
pub mod recorder;
mod rings;
pub mod seen;
mod segment;
#[cfg(all(feature = "clickhouse", feature = "kafka"))]
pub mod ship;
mod shipper;
mod sink;
mod spool;
pub mod statistics;
mod stock;
mod syncer;
pub mod tally;
pub mod upkeep;
pub mod visitor;
mod waiting;
mod writer;

pub use anonymiser::Kept;
pub use country::{Countries, CountryFileError};
pub use folder::SpoolError;
#[cfg(feature = "kafka")]
pub use kafka::{KafkaAddress, KafkaAddressError};
pub use recorder::{Recorder, Spooling, Visitors};
pub use seen::{Visited, VisitorFields};
pub use statistics::{Cursor, Interval, Page, Question, QuestionInput, Statistics, StatisticsError, span_of};
pub use tally::{Counts, Losses};
pub use upkeep::{Retention, Upkeep};
pub use visitor::{VisitorKey, VisitorKeys};
pub use writer::LEAST_LIMIT;
