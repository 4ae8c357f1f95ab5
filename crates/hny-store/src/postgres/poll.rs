//! The poll: finds out what other processes changed, by asking the primary again and again.

use std::sync::Arc;
use std::time::Duration;

use hny_domain::Version;
use tokio::time::{MissedTickBehavior, interval};
use tokio_postgres::Row;

use super::blocks;
use super::failure::Failure;
use super::generation;
use super::line::Line;
use super::news::News;
use super::row;
use super::tasks::Tasks;
use crate::seen_generation::SeenGeneration;

/// Between two polls. A change is known everywhere after this and an answer of the primary, which leaves time to spare in the second
/// that is promised.
const INTERVAL: Duration = Duration::from_millis(400);

/// How many changes are read and reported at once.
const PAGE: i64 = 1000;

/// How many versions before the current one the first poll begins: then a replica that lags is known not to have them.
const BEFORE: u64 = 10_000;

/// What changed behind a version, in pages, with where the database is, the generation of the shared cache, and the version of
/// the blocks: all of one moment.
const POLL: &str = "
    SELECT s.version, g.generation, g.run_id, l.domain, l.code, l.version, b.version
    FROM sequence s CROSS JOIN cache_generation g CROSS JOIN blocks_sequence b LEFT JOIN LATERAL (
        SELECT domain, code, version FROM links WHERE version > $1 ORDER BY version LIMIT $2
    ) l ON true
    ORDER BY l.version";

/// The version up to which everything may be known without having been seen.
const START: &str = "SELECT version FROM sequence";

/// The poll of a store.
#[derive(Debug)]
pub(super) struct Poll {
    line: Line,
    news: News,
    generation: Arc<SeenGeneration>,
    /// The version up to which all is reported.
    seen: Version,
    /// The shared cache may hold changes that the database has lost.
    must_leave_behind: bool,
    is_failing: bool,
}

impl Poll {
    /// Reads the newest changes and whatever comes in the meantime.
    pub(super) async fn start(line: Line, news: News, generation: Arc<SeenGeneration>) -> Result<Self, Failure> {
        let mut poll = Self { line, news, generation, seen: Version(0), must_leave_behind: false, is_failing: false };
        let rows = poll.line.ask(START, &[]).await?;
        let last = rows.first().map_or(Ok(Version(0)), |row| row::version(row, 0))?;
        poll.seen = Version(last.0.saturating_sub(BEFORE));
        poll.news.listeners.known().start_at(poll.seen);
        poll.catch_up().await?;
        Ok(poll)
    }

    /// For a primary that is away: begins behind what a replica has `applied`. Nobody can have seen anything that is older than
    /// that, and whatever is newer is reported when the primary is there.
    pub(super) fn behind(applied: Version, line: Line, news: News, generation: Arc<SeenGeneration>) -> Self {
        news.listeners.known().start_at(applied);
        Self { line, news, generation, seen: applied, must_leave_behind: false, is_failing: true }
    }

    /// Goes on until the store is closed.
    pub(super) fn keep(mut self, tasks: &Tasks) {
        let closed = tasks.closed.clone();
        tasks.background.spawn(async move {
            tokio::select! {
                () = self.run() => {}
                () = closed.cancelled() => {}
            }
        });
    }

    async fn run(&mut self) {
        let mut times = interval(INTERVAL);
        times.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            times.tick().await;
            let outcome = self.catch_up().await;
            self.note(outcome);
        }
    }

    /// Says once that the primary does not answer, and once that it does again.
    fn note(&mut self, outcome: Result<(), Failure>) {
        match outcome {
            Ok(()) if self.is_failing => {
                self.is_failing = false;
                tracing::info!("the primary answers again; all changes are known");
            }
            Ok(()) | Err(Failure::Closed) => {}
            Err(error) if self.is_failing => tracing::debug!(%error, "the primary still does not answer"),
            Err(error) => {
                self.is_failing = true;
                tracing::warn!(%error, "the primary does not say what changed; trying again until it does");
            }
        }
    }

    async fn catch_up(&mut self) -> Result<(), Failure> {
        loop {
            let rows = self.line.ask(POLL, &[&self.seen.0.cast_signed(), &PAGE]).await?;
            let may_be_more = self.take(&rows)?;
            if self.must_leave_behind {
                generation::leave_behind(&self.line, self.generation.get().number).await?;
                self.must_leave_behind = false;
            }
            if !may_be_more {
                return Ok(());
            }
        }
    }

    /// Reports a page; whether there may be another.
    fn take(&mut self, rows: &[Row]) -> Result<bool, Failure> {
        let Some(first) = rows.first() else { return Ok(false) };
        let last = row::version(first, 0)?;
        let generation = row::generation(first, 1)?;
        self.news.blocks.note(blocks::version(first, 6)?);
        if last < self.seen {
            self.begin_again(last);
            return Ok(true);
        }
        let is_change = |row: &&Row| row::get::<Option<i64>>(row, 5).is_ok_and(|version| version.is_some());
        let changes = rows.iter().filter(is_change).map(|row| row::change(row, 3));
        let mut changes = changes.collect::<Result<Vec<_>, _>>()?;
        let is_full = i64::try_from(changes.len()).is_ok_and(|count| count >= PAGE);
        let newest = changes.last().map_or(last, |change| change.version);
        self.seen = if is_full { newest } else { last.max(newest) };
        changes.retain(|change| !self.news.own_changes.contains(change.version));
        self.news.listeners.call(&changes);
        // Passes over what was ours, and forgets it.
        self.seen = self.news.own_changes.skip(self.seen);
        if !is_full {
            // Last: who fills a new generation knows of all changes before it.
            self.generation.note(&generation);
        }
        Ok(is_full)
    }

    /// The database is behind what it was: a standby was promoted that had not got everything. What is known of the lost versions
    /// is worth nothing, and they are given once more: another generation of the shared cache begins.
    fn begin_again(&mut self, last: Version) {
        tracing::warn!(
            had = self.seen.0,
            has = last.0,
            "the database lost changes, as after a failover to a standby that was behind; links may be shown as they were \
             changed for some time"
        );
        self.must_leave_behind = true;
        self.seen = Version(last.0.saturating_sub(BEFORE));
        self.news.listeners.known().start_again_at(self.seen);
    }
}
