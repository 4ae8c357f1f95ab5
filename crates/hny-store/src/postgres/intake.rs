//! The SQL that stores clicks, many in one statement.

use std::collections::{HashMap, HashSet};

use hny_domain::{Click, ClickId, LinkId, Timestamp};
use tokio_postgres::types::ToSql;

use super::failure::Failure;
use super::row;
use super::session::Session;
use crate::statistics_sql::click_columns;
use crate::stored_click::{day, id, kind, texts, visitor};

/// What was stored.
#[derive(Debug, Default)]
pub(super) struct Stored<'a> {
    /// The clicks that are there now and were not before, each with whether it is its visitor's first.
    pub(super) stored: Vec<(&'a Click, bool)>,
    /// Those that were first until an earlier one came.
    pub(super) dethroned: Vec<Click>,
}

/// By which a click is told from all others.
type Place = (LinkId, Timestamp, ClickId);

fn place(click: &Click) -> Place {
    (click.link, click.at, click.id)
}

/// The index of first clicks decides, also between nodes that meet a visitor at the same time: the click is the first, or the one that is
/// comes later and is none from now on (then this one is stored with the others), or no row is written. In the order of visitors, so
/// that nodes never wait for each other.
///
/// A click that is stored already is that first one or comes behind it. Only where old clicks are just being removed there may be none: a
/// careful statement looks.
const FIRSTS: &str = concat!(
    "
    INSERT INTO clicks AS c (link, at, id, kind, visitor, country, referrer, browser, os, device, language, is_first)
    SELECT a.*, true
    FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::smallint[], $5::bigint[], $6::text[], $7::text[], $8::text[],
        $9::text[], $10::text[], $11::text[]) AS a (link, at, id, kind, visitor, country, referrer, browser, os, device, language)
    WHERE NOT $12::boolean
        OR NOT EXISTS (SELECT FROM clicks e WHERE e.link = a.link AND e.at = a.at AND e.id = a.id)
    ON CONFLICT (link, (at / 86400000), visitor) WHERE is_first DO UPDATE SET is_first = false
        WHERE (excluded.at, excluded.id) < (c.at, c.id)
    RETURNING ",
    click_columns!(""),
    ", link, is_first"
);

/// Of clicks that are stored already no row is written.
const OTHERS: &str = "
    INSERT INTO clicks (link, at, id, kind, visitor, country, referrer, browser, os, device, language, is_first)
    SELECT a.*
    FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::smallint[], $5::bigint[], $6::text[], $7::text[], $8::text[],
        $9::text[], $10::text[], $11::text[], $12::boolean[])
        AS a (link, at, id, kind, visitor, country, referrer, browser, os, device, language, is_first)
    ON CONFLICT (link, at, id) DO NOTHING
    RETURNING at, id, link";

/// Stores those of these clicks that are their visitor's first. They are sorted by link, day and visitor, and no two have all three.
pub(super) async fn store_firsts<'a>(
    session: &Session,
    clicks: &[&'a Click],
    is_careful: bool,
) -> Result<Stored<'a>, Failure> {
    let arrays = Arrays::of(clicks.iter().copied());
    let statement = session.statement(FIRSTS).await?;
    let rows = session.client().query(&statement, &arrays.parameters(&is_careful)).await?;
    let known: HashMap<Place, &Click> = clicks.iter().map(|click| (place(click), *click)).collect();
    let mut stored = Stored::default();
    for row in &rows {
        let click = row::click(row, LinkId(row::get(row, 10)?))?;
        if row::get(row, 11)? {
            stored.stored.extend(known.get(&place(&click)).map(|click| (*click, true)));
        } else {
            stored.dethroned.push(click);
        }
    }
    Ok(stored)
}

/// Stores the others of these clicks, which are in the order of link, time and number.
pub(super) async fn store_others<'a>(
    session: &Session,
    clicks: &[&'a Click],
    stored: &mut Stored<'a>,
) -> Result<(), Failure> {
    let firsts: HashSet<Place> = stored.stored.iter().map(|(click, _)| place(click)).collect();
    // The first of them that a visitor has takes the place of the one that was first.
    let mut vacant: HashSet<_> =
        stored.dethroned.iter().map(|click| (click.link, day(click.at), click.visitor)).collect();
    let mut others = Vec::with_capacity(clicks.len() - firsts.len());
    for click in clicks.iter().copied().filter(|click| !firsts.contains(&place(click))) {
        let is_first = click.kind == hny_domain::VisitKind::Person
            && click.visitor.is_some()
            && vacant.remove(&(click.link, day(click.at), click.visitor));
        others.push((click, is_first));
    }
    let arrays = Arrays::of(others.iter().map(|(click, _)| *click));
    let are_first: Vec<bool> = others.iter().map(|(_, is_first)| *is_first).collect();
    let statement = session.statement(OTHERS).await?;
    let rows = session.client().query(&statement, &arrays.parameters(&are_first)).await?;
    let written = rows.iter().map(written).collect::<Result<HashSet<_>, _>>()?;
    stored.stored.extend(others.into_iter().filter(|(click, _)| written.contains(&place(click))));
    Ok(())
}

fn written(row: &tokio_postgres::Row) -> Result<Place, Failure> {
    let id = crate::stored_click::click_id(row::get(row, 1)?);
    Ok((LinkId(row::get(row, 2)?), Timestamp::from_millis(row::get(row, 0)?), id))
}

/// The columns of many clicks, as the statements take them.
#[derive(Default)]
struct Arrays<'a> {
    links: Vec<i64>,
    times: Vec<i64>,
    ids: Vec<i64>,
    kinds: Vec<i16>,
    visitors: Vec<Option<i64>>,
    texts: [Vec<&'a str>; 6],
}

impl<'a> Arrays<'a> {
    fn of(clicks: impl IntoIterator<Item = &'a Click>) -> Self {
        let mut arrays = Self::default();
        for click in clicks {
            arrays.links.push(click.link.0);
            arrays.times.push(click.at.as_millis());
            arrays.ids.push(id(click.id));
            arrays.kinds.push(kind(click.kind));
            arrays.visitors.push(visitor(click));
            for (column, text) in arrays.texts.iter_mut().zip(texts(click)) {
                column.push(text);
            }
        }
        arrays
    }

    fn parameters<'b>(&'b self, last: &'b (dyn ToSql + Sync)) -> [&'b (dyn ToSql + Sync); 12] {
        let [country, referrer, browser, os, device, language] = &self.texts;
        [
            &self.links,
            &self.times,
            &self.ids,
            &self.kinds,
            &self.visitors,
            country,
            referrer,
            browser,
            os,
            device,
            language,
            last,
        ]
    }
}
