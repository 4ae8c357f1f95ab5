//! What goes wrong with ClickHouse.

use std::time::Duration;

use thiserror::Error;

/// Why ClickHouse did not do what was asked. Whether it did all the same is not known: ask again, with the same token.
#[derive(Debug, Error)]
pub enum ClickHouseError {
    /// It is not there, or it said no.
    #[error("ClickHouse: {0}")]
    Answer(#[from] clickhouse::error::Error),
    /// Its links are in another database, so to ours all of them would be deleted ones.
    #[error(
        "this database of ClickHouse has the clicks of another installation: name another one, in clickhouse_url (HNY_CLICKHOUSE_URL)"
    )]
    OfOthers,
    /// It did not answer.
    #[error("ClickHouse did not answer within {0:?}")]
    Late(Duration),
}
