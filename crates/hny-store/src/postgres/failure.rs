//! What went wrong, and what can be done about it.

use std::error::Error as StdError;
use std::io;
use std::sync::Arc;

use thiserror::Error;
use tokio_postgres::Error as PostgresError;
use tokio_postgres::error::SqlState;

use crate::StoreError;
use crate::error::Cause;

/// Why something asked of a server did not succeed.
#[derive(Debug, Clone, Error)]
pub(super) enum Failure {
    /// The server refused, or the connection broke.
    #[error("{}", what(.0))]
    Server(#[source] Arc<PostgresError>),
    /// No answer came in time.
    #[error("the database did not answer in time")]
    Late,
    /// There is no connection, and one cannot be had at the moment.
    #[error("there is no connection to the database")]
    Down(#[source] Cause),
    /// The server holds a value that this version cannot read.
    #[error("the database returned what it should not hold")]
    Corrupt(#[source] Cause),
    /// The outcome of a change cannot be found out.
    #[error("the database was lost while it made a change")]
    Unknown,
    /// [`crate::Store::close`] was called.
    #[error("the store is closed")]
    Closed,
}

/// What the server said, where it did: `tokio_postgres` itself says only "db error".
fn what(error: &PostgresError) -> String {
    match error.as_db_error() {
        Some(said) => format!("{} ({})", said.message(), said.code().code()),
        None => error.to_string(),
    }
}

impl From<PostgresError> for Failure {
    fn from(error: PostgresError) -> Self {
        Self::Server(Arc::new(error))
    }
}

impl From<Failure> for StoreError {
    fn from(failure: Failure) -> Self {
        let is_passing = failure.is_passing();
        let cause: Cause = Arc::new(failure);
        if is_passing { Self::Unavailable(cause) } else { Self::Broken(cause) }
    }
}

impl Failure {
    /// Whether the connection is of no use any more, so that nobody can say what became of what was asked.
    pub(super) fn is_loss(&self) -> bool {
        match self {
            Self::Late => true,
            Self::Server(error) => match error.code() {
                Some(code) => is_class(code, "08") || ENDINGS.contains(code),
                None => error.is_closed() || is_io(error),
            },
            Self::Down(_) | Self::Corrupt(_) | Self::Unknown | Self::Closed => false,
        }
    }

    /// Whether the server takes no changes: it is a replica, or was made one.
    pub(super) fn is_read_only(&self) -> bool {
        self.code() == Some(&SqlState::READ_ONLY_SQL_TRANSACTION)
    }

    /// Whether what was to be written is there already.
    pub(super) fn is_duplicate(&self) -> bool {
        self.code() == Some(&SqlState::UNIQUE_VIOLATION)
    }

    /// Whether nothing was changed, and the same statement may succeed at once.
    pub(super) fn is_worth_another_try(&self) -> bool {
        self.code().is_some_and(|code| is_class(code, "40")) || self.is_read_only()
    }

    /// Whether the same statement may succeed later without anybody changing the program or mending the data.
    pub(super) fn is_passing(&self) -> bool {
        match self {
            Self::Late | Self::Down(_) | Self::Unknown | Self::Closed => true,
            Self::Corrupt(_) => false,
            // Resources, an operator's intervention, the system's errors.
            Self::Server(error) => match error.code() {
                Some(code) => {
                    ["53", "57", "58"].iter().any(|class| is_class(code, class))
                        || *code == SqlState::LOCK_NOT_AVAILABLE
                        || self.is_loss()
                        || self.is_worth_another_try()
                }
                None => self.is_loss(),
            },
        }
    }

    fn code(&self) -> Option<&SqlState> {
        match self {
            Self::Server(error) => error.code(),
            _ => None,
        }
    }
}

/// With these the server ends a connection.
const ENDINGS: &[SqlState] = &[
    SqlState::ADMIN_SHUTDOWN,
    SqlState::CRASH_SHUTDOWN,
    SqlState::CANNOT_CONNECT_NOW,
    SqlState::DATABASE_DROPPED,
    SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT,
];

fn is_class(code: &SqlState, class: &str) -> bool {
    code.code().starts_with(class)
}

fn is_io(error: &PostgresError) -> bool {
    error.source().is_some_and(<dyn StdError>::is::<io::Error>)
}
