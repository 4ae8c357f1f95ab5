#![doc = include_str!("../README.md")]

#[cfg(feature = "clickhouse")]
pub mod clickhouse;
#[cfg(feature = "fuzzing")]
pub mod fuzzing;
pub mod recorder;
#[cfg(all(feature = "clickhouse", feature = "kafka"))]
pub mod ship;
mod sink;
pub mod spool;
pub mod statistics;
pub mod tally;
pub mod upkeep;
pub mod visitor;

pub use recorder::seen::{Visited, VisitorFields};
pub use recorder::{Recorder, Spooling, Visitors};
#[cfg(feature = "kafka")]
pub use sink::kafka::{KafkaAddress, KafkaAddressError};
pub use spool::folder::SpoolError;
pub use spool::writer::LEAST_LIMIT;
pub use statistics::{Cursor, Interval, Page, Question, QuestionInput, Statistics, StatisticsError, span_of};
pub use tally::{Counts, Losses};
pub use upkeep::{Retention, Upkeep};
pub use visitor::anonymiser::Kept;
pub use visitor::country::{Countries, CountryFileError};
pub use visitor::keys::{VisitorKey, VisitorKeys};
