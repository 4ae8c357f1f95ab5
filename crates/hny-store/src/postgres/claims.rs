//! The SQL for claims.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use hny_domain::{LinkId, VisitId};

use super::Postgres;
use super::failure::Failure;
use super::key::only;
use super::line::Line;
use super::row;
use super::server::Server;
use super::session::Session;
use super::tasks::Tasks;
use crate::StoreError;

/// Whoever waits on a connection for a commit keeps those behind it waiting, so lookups have others.
const CONNECTIONS: usize = 2;

/// The connections on which clicks are claimed.
#[derive(Debug)]
pub(super) struct Claims {
    lines: [Line; CONNECTIONS],
    next: AtomicUsize,
}

impl Claims {
    pub(super) fn start(server: &Arc<Server>, tasks: &Tasks) -> Self {
        let lines = std::array::from_fn(|_| Line::start(Arc::clone(server), tasks));
        Self { lines, next: AtomicUsize::new(0) }
    }

    /// One of them, in turn.
    async fn session(&self) -> Result<Arc<Session>, Failure> {
        let turn = self.next.fetch_add(1, Ordering::Relaxed) % CONNECTIONS;
        self.lines[turn].session().await
    }
}

impl Postgres {
    /// One statement, which is a transaction of its own. Never sent twice: what became of the first would not be known.
    pub(crate) async fn claim_click(&self, link: LinkId, visit: Option<VisitId>) -> Result<bool, StoreError> {
        let visit = visit.as_ref().map(VisitId::as_str);
        let session = self.claims.session().await?;
        let rows = session.query(CLAIM, &[&link.0, &visit]).await?;
        Ok(row::get(only(&rows)?, 0)?)
    }

    pub(crate) async fn has_clicks_left(&self, link: LinkId) -> Result<bool, StoreError> {
        let rows = self.readers.ask(HAS_LEFT, &[&link.0]).await?;
        Ok(rows.first().map(|row| row::get(row, 0)).transpose()?.unwrap_or(false))
    }
}

/// Whoever comes at the same time waits at the row of the link, and then looks at what it is by then. Who comes to a link that is used
/// up has nothing to wait for and writes nothing. Without a limit no row is written either, and there is one left.
const CLAIM: &str = "
    WITH claimed AS (
        INSERT INTO claims AS c (link, used, last_visit)
        SELECT l.id, 1, $2::text FROM links l LEFT JOIN claims u ON u.link = l.id
        WHERE l.id = $1::bigint AND (l.max_clicks > coalesce(u.used, 0) OR u.last_visit = $2)
        ON CONFLICT (link) DO UPDATE SET
            used = c.used + CASE WHEN c.last_visit = excluded.last_visit THEN 0 ELSE 1 END,
            last_visit = excluded.last_visit
        WHERE c.used < (SELECT l.max_clicks FROM links l WHERE l.id = excluded.link) OR c.last_visit = excluded.last_visit
        RETURNING c.link
    )
    SELECT EXISTS (SELECT FROM claimed)
        OR EXISTS (SELECT FROM links l WHERE l.id = $1 AND l.max_clicks IS NULL AND l.deleted_at IS NULL)";

const HAS_LEFT: &str = "
    SELECT l.max_clicks IS NULL OR l.max_clicks > coalesce((SELECT c.used FROM claims c WHERE c.link = l.id), 0)
    FROM links l WHERE l.id = $1::bigint AND l.deleted_at IS NULL";
