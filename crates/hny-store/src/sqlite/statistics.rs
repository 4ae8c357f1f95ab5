//! Statistics, by the statements of [`crate::statistics_sql`].

use hny_domain::{Click, ClickId, Dimension, Grid, Group, KeyId, KindCounts, LinkId, Quarter, Scope, Span, Timestamp};
use rusqlite::{Connection, Params, Result, Row};

use super::{Sqlite, row};
use crate::parts::Parts;
use crate::statistics::{by_kind, page_start, slot_start};
use crate::statistics_sql::{
    CLICKS, GROUPS_OF_ALL, GROUPS_OF_DOMAIN, GROUPS_OF_LINK, GROUPS_OF_OWNER, QUARTERS_OF_ALL, QUARTERS_OF_DOMAIN,
    QUARTERS_OF_LINK, QUARTERS_OF_OWNER,
};
use crate::{StoreError, stored_click};

impl Sqlite {
    pub(crate) async fn quarters(&self, scope: Scope, span: Span, grid: Grid) -> Result<Vec<Quarter>, StoreError> {
        self.read_aside(move |sql| quarters(sql, scope, span, grid)).await
    }

    pub(crate) async fn groups(
        &self,
        scope: Scope,
        dimension: Dimension,
        span: Span,
    ) -> Result<Vec<Group>, StoreError> {
        let Some(dimension) = stored_click::dimension(dimension) else {
            return Ok(by_kind(&self.quarters(scope, span, Grid::WHOLE).await?));
        };
        self.read_aside(move |sql| groups(sql, scope, dimension, span)).await
    }

    pub(crate) async fn clicks(
        &self,
        link: LinkId,
        span: Span,
        after: Option<(Timestamp, ClickId)>,
        limit: u32,
    ) -> Result<Vec<Click>, StoreError> {
        self.read_aside(move |sql| {
            let (from, (at, id)) = page_start(span, after);
            let place = (link.0, from, span.to.as_millis(), at, id, limit);
            sql.prepare_cached(CLICKS)?.query_map(place, |row| row::click(row, link))?.collect()
        })
        .await
    }
}

fn quarters(sql: &Connection, scope: Scope, span: Span, grid: Grid) -> Result<Vec<Quarter>> {
    let (from, to, around) = (span.from.as_millis(), span.to.as_millis(), Parts::of(span).around);
    let (shift, length) = (grid.shift(), grid.length());
    let quarter = |row: &Row<'_>| quarter(row, span, grid);
    let of_many = |owner: Option<i64>| (owner, from, to, around.start, around.end, shift, length);
    match scope {
        Scope::Link(LinkId(link)) => all(sql, QUARTERS_OF_LINK, (link, from, to, shift, length), quarter),
        Scope::Owner(KeyId(owner)) => all(sql, QUARTERS_OF_OWNER, of_many(Some(owner)), quarter),
        Scope::Domain(domain) => all(sql, QUARTERS_OF_DOMAIN, of_many(Some(domain.0.into())), quarter),
        Scope::All => all(sql, QUARTERS_OF_ALL, of_many(None), quarter),
    }
}

fn groups(sql: &Connection, scope: Scope, dimension: i16, span: Span) -> Result<Vec<Group>> {
    let Parts { days, edges: [before, behind], around } = Parts::of(span);
    let edges = (before.start, before.end, behind.start, behind.end);
    match scope {
        Scope::Link(LinkId(link)) => {
            let places = (link, dimension, days.start, days.end, edges.0, edges.1, edges.2, edges.3);
            all(sql, GROUPS_OF_LINK, places, group)
        }
        Scope::Owner(_) | Scope::Domain(_) | Scope::All => {
            let (whose, statement) = match scope {
                Scope::Owner(KeyId(owner)) => (Some(owner), GROUPS_OF_OWNER),
                Scope::Domain(domain) => (Some(domain.0.into()), GROUPS_OF_DOMAIN),
                Scope::Link(_) | Scope::All => (None, GROUPS_OF_ALL),
            };
            let (from, to) = (span.from.as_millis(), span.to.as_millis());
            let places = (
                whose,
                dimension,
                days.start,
                days.end,
                edges.0,
                edges.1,
                edges.2,
                edges.3,
                around.start,
                around.end,
                from,
                to,
            );
            all(sql, statement, places, group)
        }
    }
}

fn all<T>(
    sql: &Connection,
    statement: &str,
    places: impl Params,
    item: impl FnMut(&Row<'_>) -> Result<T>,
) -> Result<Vec<T>> {
    sql.prepare_cached(statement)?.query_map(places, item)?.collect()
}

fn quarter(row: &Row<'_>, span: Span, grid: Grid) -> Result<Quarter> {
    let count = |column| row.get(column).map(i64::cast_unsigned);
    Ok(Quarter {
        start: slot_start(row.get(0)?, span, grid),
        counts: KindCounts { clicks: count(1)?, robots: count(2)?, prefetches: count(3)?, probes: count(4)? },
        uniques: count(5)?,
    })
}

fn group(row: &Row<'_>) -> Result<Group> {
    let count = |column| row.get(column).map(i64::cast_unsigned);
    Ok(Group { value: stored_click::value(row.get_ref(0)?.as_str()?), clicks: count(1)?, uniques: count(2)? })
}
