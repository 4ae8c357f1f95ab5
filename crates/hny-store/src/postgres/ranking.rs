//! Brings the rows that links are listed by, in the order of their clicks, up to what was counted.
//!
//! Whoever counts leaves notes of the links (see the table `rank_notes`). A store that has counted sees to the notes after a rest, so
//! that what is counted again and again is ranked once; and whoever lists links by their clicks sees to those that there are. One does
//! it at a time.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Mutex, Notify};
use tokio::time::sleep;

use super::change::{First, Question, Verdict, change};
use super::failure::Failure;
use super::key::only;
use super::line::Line;
use super::row;
use super::tasks::Tasks;

/// Between a count and the ranks, and after a failure.
const REST: Duration = Duration::from_secs(1);

/// How many notes are seen to at once, and how many links they may have together before no other is taken.
const NOTES: i64 = 100;
const LINKS: i64 = 20_000;

const IS_BEHIND: &str = "SELECT EXISTS (SELECT FROM rank_notes)";

/// Takes the oldest notes and writes the clicks of their links. All that was counted before the notes were left is seen. Nobody else
/// ranks meanwhile, so nothing older is written over it.
const RANK: &str = "
    WITH taken AS (
        DELETE FROM rank_notes WHERE id = ANY (ARRAY(
            SELECT id FROM (
                SELECT id, sum(cardinality(links)) OVER (ORDER BY id) - cardinality(links) AS before
                FROM (SELECT id, links FROM rank_notes ORDER BY id LIMIT $1) AS oldest
            ) AS note WHERE before < $2
        )) RETURNING links
    ), counted AS (
        SELECT links.id AS link, links.owner,
            coalesce((SELECT sum(c.clicks)::bigint FROM click_lanes AS c WHERE c.link = links.id), 0)
                + coalesce((SELECT c.clicks FROM click_counts AS c WHERE c.link = links.id), 0) AS clicks
        FROM (SELECT DISTINCT unnest(links) AS id FROM taken) AS noted JOIN links USING (id)
        WHERE links.deleted_at IS NULL
    ), emptied AS (
        DELETE FROM click_ranks USING counted WHERE click_ranks.link = counted.link AND counted.clicks <= 0
    ), ranked AS (
        INSERT INTO click_ranks AS r (link, owner, clicks)
        SELECT link, owner, clicks FROM counted WHERE clicks > 0 ORDER BY link
        ON CONFLICT (link) DO UPDATE SET clicks = excluded.clicks WHERE r.clicks <> excluded.clicks
    )
    SELECT count(*) FROM taken";

/// The ranks of links.
#[derive(Debug)]
pub(super) struct Ranking {
    line: Arc<Mutex<Line>>,
    counted: Arc<Notify>,
}

impl Ranking {
    pub(super) fn start(line: Line, tasks: &Tasks) -> Self {
        let ranking = Self { line: Arc::new(Mutex::new(line)), counted: Arc::default() };
        let (line, counted, closed) = (Arc::clone(&ranking.line), Arc::clone(&ranking.counted), tasks.closed.clone());
        tasks.background.spawn(async move {
            tokio::select! {
                () = keep(&line, &counted) => {}
                () = closed.cancelled() => {}
            }
        });
        ranking
    }

    /// Tells that something was counted, or may have been.
    pub(super) fn note(&self) {
        self.counted.notify_one();
    }

    /// Ranks what was counted until now; where that is very much, a part of it.
    pub(super) async fn catch_up(&self, lists: &Line) -> Result<(), Failure> {
        let behind = lists.ask(IS_BEHIND, &[]).await?;
        if row::get(only(&behind)?, 0)? {
            rank(&*self.line.lock().await).await?;
            self.counted.notify_one();
        }
        Ok(())
    }
}

async fn keep(line: &Mutex<Line>, counted: &Notify) {
    loop {
        counted.notified().await;
        sleep(REST).await;
        loop {
            match rank(&*line.lock().await).await {
                Ok(0) => break,
                Ok(_) => {}
                Err(error) => {
                    tracing::debug!(%error, "links cannot be ranked by their clicks now; it is tried again");
                    counted.notify_one();
                    break;
                }
            }
        }
    }
}

/// How many notes were seen to.
async fn rank(line: &Line) -> Result<u64, Failure> {
    let question = Question { first: First::LockRanks, sql: RANK, parameters: &[&NOTES, &LINKS] };
    change(line, &question, |_, rows| match row::number(only(rows)?, 0)? {
        0 => Ok(Verdict::Leave(0)),
        notes => Ok(Verdict::Keep(notes)),
    })
    .await
}
