//! The SQL that takes clicks.

use std::collections::HashSet;

use hny_domain::{Click, LinkId, VisitKind};
use rusqlite::{CachedStatement, Connection, OptionalExtension as _, Result};

use super::{Sqlite, row, spool, tally};
use crate::statistics_sql::click_columns;
use crate::stored_click::{DAY, day, id, kind, texts, visitor};
use crate::tally::Tally;
use crate::{SpoolStep, StoreError};

impl Sqlite {
    pub(crate) async fn take_clicks(&self, clicks: Vec<Click>, step: SpoolStep) -> Result<bool, StoreError> {
        // Also before: whoever hears that a file was replaced takes the same clicks again, and that file may come back.
        self.identity.check()?;
        self.change(move |sql, _| {
            let is_next = spool::step(sql, step)?;
            if is_next {
                take(sql, clicks)?;
            }
            Ok(is_next)
        })
        .await
    }

    pub(crate) fn clicks_of(&self, link: LinkId) -> Result<u64, StoreError> {
        self.read(|sql| count(sql, link))
    }
}

const IS_LIVE: &str = "SELECT EXISTS (SELECT 1 FROM links WHERE id = ?1 AND deleted_at IS NULL)";

/// Of the same click, and of a second first click of a visitor, none is written.
const INSERT: &str = "
    INSERT INTO clicks (link, at, id, kind, is_first, visitor, country, referrer, browser, os, device, language)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
    ON CONFLICT DO NOTHING";

const FIRST: &str = concat!(
    "SELECT ",
    click_columns!(""),
    " FROM clicks WHERE link = ?1 AND at / 86400000 = ?2 AND visitor = ?3 AND is_first"
);

const DETHRONE: &str = "UPDATE clicks SET is_first = 0 WHERE link = ?1 AND at = ?2 AND id = ?3";

fn take(sql: &Connection, mut clicks: Vec<Click>) -> Result<()> {
    retain_live(sql, &mut clicks)?;
    let mut intake = Intake {
        insert: sql.prepare_cached(INSERT)?,
        first: sql.prepare_cached(FIRST)?,
        dethrone: sql.prepare_cached(DETHRONE)?,
        met: HashSet::with_capacity(clicks.len()),
        dethroned: Vec::new(),
    };
    let mut stored = Vec::with_capacity(clicks.len());
    for click in &clicks {
        stored.extend(intake.store(click)?.map(|is_first| (click, is_first)));
    }
    tally::add(sql, &Tally::of_taken(&stored, &intake.dethroned))
}

/// Keeps the clicks of links that are there, in the order in which they are stored.
fn retain_live(sql: &Connection, clicks: &mut Vec<Click>) -> Result<()> {
    clicks.sort_unstable_by_key(|click| (click.link, click.at, click.id));
    let mut is_live = sql.prepare_cached(IS_LIVE)?;
    let mut live = Vec::new();
    for clicks in clicks.chunk_by(|one, next| one.link == next.link) {
        let is_live: bool = is_live.query_row([clicks[0].link.0], |row| row.get(0))?;
        live.extend(std::iter::repeat_n(is_live, clicks.len()));
    }
    let mut live = live.into_iter();
    clicks.retain(|_| live.next().unwrap_or(false));
    Ok(())
}

/// Stores clicks, which come in the order of link, time and number.
struct Intake<'a> {
    insert: CachedStatement<'a>,
    first: CachedStatement<'a>,
    dethrone: CachedStatement<'a>,
    /// The visitors that were met, by link and day: what comes of them later is not their first click.
    met: HashSet<(LinkId, i64, i64)>,
    /// The clicks that were first until an earlier one came.
    dethroned: Vec<Click>,
}

impl Intake<'_> {
    /// Whether the click is its visitor's first; `None` when it was stored before.
    fn store(&mut self, click: &Click) -> Result<Option<bool>> {
        let Some(visitor) = visitor(click).filter(|_| click.kind == VisitKind::Person) else {
            return self.insert(click, false);
        };
        if !self.met.insert((click.link, day(click.at), visitor)) {
            return self.insert(click, false);
        }
        match self.insert(click, true)? {
            None => self.store_known(click, visitor),
            stored => Ok(stored),
        }
    }

    /// Stores a click of a visitor that has clicked that day, unless it was stored before.
    fn store_known(&mut self, click: &Click, visitor: i64) -> Result<Option<bool>> {
        let key = (click.link.0, click.at.as_millis() / DAY, visitor);
        let Some(first) = self.first.query_row(key, |row| row::click(row, click.link)).optional()? else {
            return Ok(None);
        };
        if (first.at, first.id) <= (click.at, click.id) {
            return self.insert(click, false);
        }
        self.dethrone.execute((first.link.0, first.at.as_millis(), id(first.id)))?;
        self.dethroned.push(first);
        self.insert(click, true)
    }

    fn insert(&mut self, click: &Click, is_first: bool) -> Result<Option<bool>> {
        let [country, referrer, browser, os, device, language] = texts(click);
        let rows = self.insert.execute((
            click.link.0,
            click.at.as_millis(),
            id(click.id),
            kind(click.kind),
            is_first,
            visitor(click),
            country,
            referrer,
            browser,
            os,
            device,
            language,
        ))?;
        Ok((rows > 0).then_some(is_first))
    }
}

fn count(sql: &Connection, link: LinkId) -> Result<u64> {
    let mut statement = sql.prepare_cached("SELECT clicks FROM click_counts WHERE link = ?1")?;
    let count: Option<i64> = statement.query_row([link.0], |row| row.get(0)).optional()?;
    Ok(count.map_or(0, i64::cast_unsigned))
}

#[cfg(test)]
mod tests;
