//! The connections that look up links: a few, which all lookups share.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio_postgres::Row;

use super::failure::Failure;
use super::line::Line;
use super::server::Server;
use super::session::Parameters;
use super::tasks::Tasks;

/// More than these would take the server's processors from each other.
const MOST: usize = 16;

/// Connections to one server.
#[derive(Debug)]
pub(super) struct Readers {
    lines: Vec<Line>,
    next: AtomicUsize,
}

impl Readers {
    pub(super) fn start(server: &Arc<Server>, count: usize, tasks: &Tasks) -> Self {
        let lines = (0..count.clamp(1, MOST)).map(|_| Line::start(Arc::clone(server), tasks)).collect();
        Self { lines, next: AtomicUsize::new(0) }
    }

    /// The rows that answer a question that changes nothing.
    pub(super) async fn ask(&self, sql: &'static str, parameters: Parameters<'_>) -> Result<Vec<Row>, Failure> {
        // In turn: no connection has more to answer than another.
        let turn = self.next.fetch_add(1, Ordering::Relaxed) % self.lines.len();
        self.lines[turn].ask(sql, parameters).await
    }
}
