//! Takes clicks: one transaction for each batch.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use hny_domain::{Click, LinkId, VisitKind};
use tokio_postgres::types::ToSql;

use super::Postgres;
use super::change::{BEGIN, LIMIT, may_be_tried_again, roll_back, was_committed};
use super::failure::Failure;
use super::intake::{Stored, store_firsts, store_others};
use super::key::only;
use super::line::Line;
use super::row;
use super::session::Session;
use super::tally;
use crate::stored_click::{day, visitor};
use crate::tally::Tally;
use crate::{SpoolId, SpoolStep, StoreError};

/// How often a batch is tried: another may take a click, or be about to meet a visitor, at the same time.
const ATTEMPTS: u32 = 5;

/// How many lanes spools share that a version from before has opened.
const SHARED_LANES: u64 = 16;

impl Postgres {
    pub(crate) async fn take_clicks(&self, clicks: Vec<Click>, step: SpoolStep) -> Result<bool, StoreError> {
        let line = Arc::clone(&self.counting);
        // Large.
        let taking = Box::pin(async move {
            let line = line.lock().await;
            let mut is_careful = false;
            for _ in 1..ATTEMPTS {
                match attempt(&line, &clicks, step, is_careful).await {
                    Err(failure) if failure.is_duplicate() => is_careful = true,
                    Err(failure) if may_be_tried_again(&failure) => {}
                    outcome => return outcome,
                }
            }
            attempt(&line, &clicks, step, true).await
        });
        let taken = self.run(taking).await;
        // Also where the outcome is not known.
        self.ranking.note();
        taken
    }

    pub(crate) async fn clicks_of(&self, link: LinkId) -> Result<u64, StoreError> {
        let rows = self.readers.ask(COUNT, &[&link.0]).await?;
        Ok(row::number(only(&rows)?, 0)?)
    }
}

/// The number of the transaction comes before the look at the links: whoever removes the clicks of a link that is deleted meanwhile waits
/// for it.
const MOVE: &str = "
    UPDATE spools SET position = $3 WHERE id = $1 AND position = $2 RETURNING pg_current_xact_id()::text, lane";

const LIVE: &str = "SELECT id FROM links WHERE id = ANY ($1::bigint[]) AND deleted_at IS NULL";

/// An older version of the program counts into one table, this one into the other. A click may be added while its link is deleted, and
/// stay for some time; a deleted link has no clicks all the same.
const COUNT: &str = "
    SELECT CASE WHEN EXISTS (SELECT FROM links WHERE id = $1 AND deleted_at IS NULL) THEN
        coalesce((SELECT clicks FROM click_counts WHERE link = $1), 0)
            + coalesce((SELECT sum(clicks) FROM click_lanes WHERE link = $1), 0)::bigint
        ELSE 0
    END";

/// One attempt; a batch whose commit was not answered is asked for.
async fn attempt(line: &Line, clicks: &[Click], step: SpoolStep, is_careful: bool) -> Result<bool, Failure> {
    let session = line.session().await?;
    // With a transaction that may still be open the connection is good for nothing else.
    let begun = session.within(LIMIT, begin(&session, clicks, step)).await.inspect_err(|_| session.give_up())?;
    let Some(Begun { transaction, lane, live }) = begun else { return roll_back(&session).await.map(|()| false) };
    let clicks = in_order(clicks, &live);
    let taken = match session.within(LIMIT, store(&session, &clicks, is_careful)).await {
        Ok(taken) => taken,
        Err(failure) if failure.is_loss() => return Err(failure),
        Err(failure) => return roll_back(&session).await.and(Err(failure)),
    };
    let tally = Tally::of_taken(&taken.stored, &taken.dethroned);
    let commit = session.client().batch_execute("COMMIT");
    match session.within(LIMIT, tally::add(&session, lane, &tally, commit)).await {
        Ok(()) => Ok(true),
        Err(failure) if failure.is_loss() => match was_committed(line, &transaction).await {
            Ok(true) => Ok(true),
            Ok(false) => Err(failure),
            Err(_) => Err(Failure::Unknown),
        },
        Err(failure) => roll_back(&session).await.and(Err(failure)),
    }
}

/// A transaction that has begun.
struct Begun {
    /// Its number.
    transaction: String,
    /// Where the spool counts, and nobody else does: a hot link is counted by each node in rows of its own, which no other waits for.
    lane: i16,
    /// The links that are there.
    live: HashSet<i64>,
}

/// One of those that such spools share.
fn shared_lane(spool: SpoolId) -> i16 {
    i16::try_from(spool.0 % SHARED_LANES).unwrap_or(0)
}

/// Begins, moves the position of the spool, and then looks which links are there. `None` when the spool is not where the step begins.
async fn begin(
    session: &Session,
    clicks: &[Click],
    SpoolStep { spool, from, to }: SpoolStep,
) -> Result<Option<Begun>, Failure> {
    let links: HashSet<i64> = clicks.iter().map(|click| click.link.0).collect();
    let links: Vec<i64> = links.into_iter().collect();
    let (id, from, to) = (spool.0.cast_signed(), from.cast_signed(), to.cast_signed());
    let (advance, live) = (session.statement(MOVE).await?, session.statement(LIVE).await?);
    let client = session.client();
    let places: [&(dyn ToSql + Sync); 3] = [&id, &from, &to];
    let links: [&(dyn ToSql + Sync); 1] = [&links];
    let (begun, moved, live) = tokio::join!(
        biased;
        client.batch_execute(BEGIN),
        client.query(&advance, &places),
        client.query(&live, &links),
    );
    begun?;
    let (moved, live) = (moved?, live?);
    let Some(moved) = moved.first() else { return Ok(None) };
    let live = live.iter().map(|row| row::get(row, 0)).collect::<Result<_, _>>()?;
    let lane: Option<i16> = row::get(moved, 1)?;
    Ok(Some(Begun { transaction: row::get(moved, 0)?, lane: lane.unwrap_or_else(|| shared_lane(spool)), live }))
}

/// The clicks of links that are there, by link, time and number, each once.
fn in_order<'a>(clicks: &'a [Click], known: &HashSet<i64>) -> Vec<&'a Click> {
    let mut clicks: Vec<&Click> = clicks.iter().filter(|click| known.contains(&click.link.0)).collect();
    clicks.sort_unstable_by_key(|click| (click.link, click.at, click.id));
    clicks.dedup_by_key(|click| (click.link, click.at, click.id));
    clicks
}

/// First the earliest click of each visitor, link and day, if it is its first of all. Then the others.
async fn store<'a>(session: &Session, clicks: &[&'a Click], is_careful: bool) -> Result<Stored<'a>, Failure> {
    let mut earliest = HashMap::new();
    for &click in clicks {
        if let Some(visitor) = visitor(click).filter(|_| click.kind == VisitKind::Person) {
            earliest.entry((click.link.0, day(click.at), visitor)).or_insert(click);
        }
    }
    let mut earliest: Vec<_> = earliest.into_iter().collect();
    earliest.sort_unstable_by_key(|(key, _)| *key);
    let earliest: Vec<&Click> = earliest.into_iter().map(|(_, click)| click).collect();
    let mut stored = store_firsts(session, &earliest, is_careful).await?;
    store_others(session, clicks, &mut stored).await?;
    Ok(stored)
}
