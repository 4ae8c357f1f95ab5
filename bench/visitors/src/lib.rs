//! Many visitors on one thread: each has a connection, asks, checks the answer and asks again.
//!
//! They are made like the bare responder that is measured with them, so they are never the slower side by much, and they
//! believe nothing: an answer counts when it leads where its code leads. That is why the links of the benches are here too.

mod answer;
mod crowd;
pub mod links;
mod person;
mod traffic;
mod visitor;

pub use crowd::{Plan, Sample, visit};
pub use traffic::{Draw, Traffic};

use std::io;
use std::net::SocketAddr;
use thiserror::Error;

/// Why there is no figure.
#[derive(Debug, Error)]
pub enum VisitError {
    /// The connection failed.
    #[error("a request to {address} failed: {source}")]
    Connection {
        /// Whom we asked.
        address: SocketAddr,
        /// What the system says.
        source: io::Error,
    },
    /// An answer that is not the right one, which makes every figure worthless.
    #[error("{asked} was answered wrongly:\n{said}")]
    Wrong {
        /// The request.
        asked: String,
        /// The answer.
        said: String,
    },
    /// No answer for a long time.
    #[error("{waiting} requests to {address} were not answered")]
    Silence {
        /// Whom we asked.
        address: SocketAddr,
        /// How many requests.
        waiting: usize,
    },
}
