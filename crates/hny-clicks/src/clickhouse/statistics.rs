//! The three answers of the store, from ClickHouse.

use std::sync::Arc;

use clickhouse::Row;
use clickhouse::query::Query;
use hny_domain::{Click, ClickId, Dimension, Group, KindCounts, LinkId, Quarter, Scope, Span, Timestamp};
use serde::Deserialize;

use super::row::ClickRow;
use super::{ClickHouse, ClickHouseError, in_time};

/// What the rows of a scope have in common.
fn condition(scope: Scope) -> String {
    match scope {
        Scope::Link(link) => format!("link = {}", link.0),
        Scope::Owner(key) => format!("owner = {}", key.0),
        Scope::Domain(domain) => format!("domain = {}", domain.0),
        Scope::All => "1".to_owned(),
    }
}

/// The place of a click among all, by time and id, in one number: with a pair of both the engine takes five times as long.
const PLACE: &str = "bitOr(bitShiftLeft(toUInt128(toUnixTimestamp64Milli(at)), 64), toUInt128(id))";

#[derive(Row, Deserialize)]
struct QuarterRow {
    /// Seconds.
    start: u32,
    clicks: u64,
    robots: u64,
    prefetches: u64,
    probes: u64,
    uniques: u64,
}

#[derive(Row, Deserialize)]
struct GroupRow {
    value: Option<String>,
    clicks: u64,
    uniques: u64,
}

impl ClickHouse {
    /// What happened in each quarter of a stretch of time, by ascending time.
    pub async fn quarters(&self, scope: Scope, span: Span) -> Result<Vec<Quarter>, ClickHouseError> {
        let condition = condition(scope);
        // The first click of a visitor is looked for on the whole day, as it may have been before the stretch.
        let sql = format!(
            "SELECT start, sum(c) AS clicks, sum(r) AS robots, sum(f) AS prefetches, sum(p) AS probes, sum(u) AS uniques
            FROM (
                SELECT quarter AS start, clicks AS c, robots AS r, prefetches AS f, probes AS p, 0 AS u
                FROM click_quarters
                WHERE {condition} AND quarter >= toDateTime(?, 'UTC') AND quarter < toDateTime(?, 'UTC')
                UNION ALL
                SELECT toDateTime(intDiv(toUnixTimestamp64Milli(earliest), 900000) * 900, 'UTC') AS start,
                    0, 0, 0, 0, count()
                FROM (
                    SELECT min(first.1) AS earliest FROM click_visitors
                    WHERE {condition} AND day >= toDate(toDateTime(?, 'UTC')) AND day <= toDate(toDateTime(?, 'UTC'))
                    GROUP BY day, visitor
                )
                WHERE earliest >= toDateTime64(?, 3, 'UTC') AND earliest < toDateTime64(?, 3, 'UTC')
                GROUP BY start
            )
            GROUP BY start ORDER BY start"
        );
        let query = (0..3).fold(self.query(&sql), |query, _| bind(query, span));
        let rows: Vec<QuarterRow> = in_time(query.fetch_all()).await?;
        Ok(rows.iter().map(QuarterRow::quarter).collect())
    }

    /// The clicks of a stretch of time by what they say in a dimension, the most first, and by value where there are as many. Of
    /// [`Dimension::Kind`] the visits of each kind.
    pub async fn groups(&self, scope: Scope, dimension: Dimension, span: Span) -> Result<Vec<Group>, ClickHouseError> {
        let condition = condition(scope);
        let (value, counted) = match dimension {
            Dimension::Kind => ("toNullable(toString(kind))".to_owned(), "1"),
            trait_ => (format!("CAST({}, 'Nullable(String)')", trait_.name()), "kind = 'person'"),
        };
        let sql = format!(
            "SELECT value, sum(c) AS clicks, sum(u) AS uniques
            FROM (
                SELECT {value} AS value, count() AS c, 0 AS u FROM clicks
                WHERE {condition} AND {counted} AND at >= toDateTime64(?, 3, 'UTC') AND at < toDateTime64(?, 3, 'UTC')
                GROUP BY value
                UNION ALL
                SELECT nullIf(said, '') AS value, 0, count()
                FROM (
                    SELECT min(at) AS earliest, argMin(ifNull({value}, ''), {PLACE}) AS said
                    FROM clicks
                    WHERE {condition} AND kind = 'person' AND visitor IS NOT NULL
                        AND at >= toDateTime64(toStartOfDay(toDateTime(?, 'UTC')), 3, 'UTC') AND at < toDateTime64(?, 3, 'UTC')
                    GROUP BY toDate(at), assumeNotNull(visitor)
                )
                WHERE earliest >= toDateTime64(?, 3, 'UTC') AND earliest < toDateTime64(?, 3, 'UTC')
                GROUP BY value
            )
            GROUP BY value ORDER BY clicks DESC, value ASC NULLS FIRST"
        );
        let query = (0..3).fold(self.query(&sql), |query, _| bind(query, span));
        let rows: Vec<GroupRow> = in_time(query.fetch_all()).await?;
        let group = |row: GroupRow| Group { value: row.value.map(Arc::from), clicks: row.clicks, uniques: row.uniques };
        Ok(rows.into_iter().map(group).collect())
    }

    /// Visits of a link, by ascending time and id, behind the last that was seen.
    pub async fn clicks(
        &self,
        link: LinkId,
        span: Span,
        after: Option<(Timestamp, ClickId)>,
        limit: u32,
    ) -> Result<Vec<Click>, ClickHouseError> {
        let sql = "SELECT ?fields FROM clicks
            WHERE link = ? AND at >= toDateTime64(?, 3, 'UTC') AND at < toDateTime64(?, 3, 'UTC')
                AND (toUnixTimestamp64Milli(at), id) > (?, ?)
            ORDER BY at, id LIMIT ?";
        // Before all times that a click may have.
        let (at, id) = after.map_or((-1, 0), |(at, id)| (at.as_millis(), id.0));
        let query = bind(self.query(sql).bind(link.0), span).bind(at).bind(id).bind(limit);
        in_time(async {
            let mut cursor = query.fetch::<ClickRow<'_>>()?;
            let mut clicks = Vec::new();
            while let Some(row) = cursor.next().await? {
                clicks.extend(row.click());
            }
            Ok(clicks)
        })
        .await
    }
}

/// The two ends, in seconds: they are at quarters of an hour. A column of milliseconds must be compared with milliseconds
/// (`toDateTime64(?, 3, 'UTC')`): where `<` has seconds at its right, ClickHouse 26.9 passes over parts in which there is only the last
/// second before.
fn bind(query: Query, span: Span) -> Query {
    query.bind(seconds(span.from)).bind(seconds(span.to))
}

/// Within what ClickHouse can write as a time; clicks are within that, too.
fn seconds(time: Timestamp) -> u32 {
    u32::try_from((time.as_millis() / 1000).max(0)).unwrap_or(u32::MAX)
}

impl QuarterRow {
    fn quarter(&self) -> Quarter {
        Quarter {
            start: Timestamp::from_millis(i64::from(self.start) * 1000),
            counts: KindCounts {
                clicks: self.clicks,
                robots: self.robots,
                prefetches: self.prefetches,
                probes: self.probes,
            },
            uniques: self.uniques,
        }
    }
}
