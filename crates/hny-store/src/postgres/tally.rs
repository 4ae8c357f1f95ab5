//! The SQL that changes counts.

use std::future::Future;

use tokio_postgres::Error;
use tokio_postgres::types::ToSql;

use super::failure::Failure;
use super::session::Session;
use super::visitor_key::number;
use crate::tally::Tally;

/// Adds differences to the counts in a lane, and does what comes last. All rows are written in the order of their keys: nobody waits for
/// somebody who waits for him. All of it is on its way before the first is answered.
pub(super) async fn add(
    session: &Session,
    lane: i16,
    tally: &Tally<'_>,
    last: impl Future<Output = Result<(), Error>>,
) -> Result<(), Failure> {
    let (quarters, days) = (session.statement(QUARTERS).await?, session.statement(DAYS).await?);
    let links = session.statement(LINKS).await?;
    let (of_quarters, of_days, of_links) = (Quarters::of(tally), Days::of(tally), Links::of(tally));
    let (of_quarters, of_days) = (of_quarters.parameters(&lane), of_days.parameters(&lane));
    let of_links = of_links.parameters(&lane);
    let client = session.client();
    let (quarters, days, links, done) = tokio::join!(
        biased;
        client.execute(&quarters, &of_quarters),
        client.execute(&days, &of_days),
        client.execute(&links, &of_links),
        last,
    );
    // After an error a COMMIT rolls back, and says nothing of it.
    quarters?;
    days?;
    links?;
    Ok(done?)
}

const QUARTERS: &str = "
    INSERT INTO click_quarters AS c (lane, link, quarter, clicks, robots, prefetches, probes, uniques)
    SELECT $1, a.*
    FROM unnest($2::bigint[], $3::integer[], $4::integer[], $5::integer[], $6::integer[], $7::integer[], $8::integer[])
        AS a (link, quarter, clicks, robots, prefetches, probes, uniques)
    ON CONFLICT (link, quarter, lane) DO UPDATE SET clicks = c.clicks + excluded.clicks, uniques = c.uniques + excluded.uniques,
        robots = c.robots + excluded.robots, prefetches = c.prefetches + excluded.prefetches, probes = c.probes + excluded.probes";

const DAYS: &str = "
    INSERT INTO click_days AS c (lane, link, dimension, day, value, clicks, uniques)
    SELECT $1, a.*
    FROM unnest($2::bigint[], $3::smallint[], $4::integer[], $5::text[], $6::integer[], $7::integer[])
        AS a (link, dimension, day, value, clicks, uniques)
    ON CONFLICT (link, dimension, day, value, lane) DO UPDATE SET
        clicks = c.clicks + excluded.clicks, uniques = c.uniques + excluded.uniques";

const LINKS: &str = "
    INSERT INTO click_lanes AS c (lane, link, clicks)
    SELECT $1, a.* FROM unnest($2::bigint[], $3::bigint[]) AS a (link, clicks)
    ON CONFLICT (link, lane) DO UPDATE SET clicks = c.clicks + excluded.clicks";

type Parameters<'a, const N: usize> = [&'a (dyn ToSql + Sync); N];

#[derive(Default)]
struct Quarters {
    links: Vec<i64>,
    quarters: Vec<i32>,
    visits: [Vec<i32>; 4],
    uniques: Vec<i32>,
}

impl Quarters {
    fn of(tally: &Tally<'_>) -> Self {
        let mut arrays = Self::default();
        for (&(link, quarter), counts) in &tally.quarters {
            arrays.links.push(link);
            arrays.quarters.push(number(quarter));
            for (of_kind, count) in arrays.visits.iter_mut().zip(counts.visits) {
                of_kind.push(number(count));
            }
            arrays.uniques.push(number(counts.uniques));
        }
        arrays
    }

    fn parameters<'a>(&'a self, lane: &'a i16) -> Parameters<'a, 8> {
        let [clicks, robots, prefetches, probes] = &self.visits;
        [lane, &self.links, &self.quarters, clicks, robots, prefetches, probes, &self.uniques]
    }
}

#[derive(Default)]
struct Days<'a> {
    links: Vec<i64>,
    dimensions: Vec<i16>,
    days: Vec<i32>,
    values: Vec<&'a str>,
    clicks: Vec<i32>,
    uniques: Vec<i32>,
}

impl<'a> Days<'a> {
    fn of(tally: &Tally<'a>) -> Self {
        let mut arrays = Self::default();
        for (&(link, dimension, day, value), counts) in &tally.days {
            arrays.links.push(link);
            arrays.dimensions.push(dimension);
            arrays.days.push(number(day));
            arrays.values.push(value);
            arrays.clicks.push(number(counts.clicks));
            arrays.uniques.push(number(counts.uniques));
        }
        arrays
    }

    fn parameters<'b>(&'b self, lane: &'b i16) -> Parameters<'b, 7> {
        [lane, &self.links, &self.dimensions, &self.days, &self.values, &self.clicks, &self.uniques]
    }
}

struct Links {
    links: Vec<i64>,
    clicks: Vec<i64>,
}

impl Links {
    fn of(tally: &Tally<'_>) -> Self {
        let (links, clicks) = tally.clicks.iter().filter(|(_, clicks)| **clicks != 0).unzip();
        Self { links, clicks }
    }

    fn parameters<'a>(&'a self, lane: &'a i16) -> Parameters<'a, 3> {
        [lane, &self.links, &self.clicks]
    }
}
