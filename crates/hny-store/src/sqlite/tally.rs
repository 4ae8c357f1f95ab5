//! The SQL that changes counts.

use rusqlite::{Connection, Result};

use crate::tally::{DayCounts, QuarterCounts, Tally};

/// Adds differences to the counts.
pub(super) fn add(sql: &Connection, tally: &Tally<'_>) -> Result<()> {
    let mut quarters = sql.prepare_cached(QUARTER)?;
    for (&(link, quarter), &QuarterCounts { visits: [clicks, robots, prefetches, probes], uniques }) in &tally.quarters
    {
        quarters.execute((link, quarter, clicks, uniques, robots, prefetches, probes))?;
    }
    let mut days = sql.prepare_cached(DAY)?;
    for (&(link, dimension, day, value), &DayCounts { clicks, uniques }) in &tally.days {
        days.execute((link, dimension, day, value, clicks, uniques))?;
    }
    for (&link, &clicks) in &tally.clicks {
        change_count(sql, link, clicks)?;
    }
    Ok(())
}

const QUARTER: &str = "
    INSERT INTO click_quarters (link, quarter, clicks, uniques, robots, prefetches, probes) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
    ON CONFLICT (link, quarter) DO UPDATE SET clicks = clicks + excluded.clicks, uniques = uniques + excluded.uniques,
        robots = robots + excluded.robots, prefetches = prefetches + excluded.prefetches, probes = probes + excluded.probes";

const DAY: &str = "
    INSERT INTO click_days (link, dimension, day, value, clicks, uniques) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
    ON CONFLICT (link, dimension, day, value) DO UPDATE SET clicks = clicks + excluded.clicks, uniques = uniques + excluded.uniques";

/// A count is never 0: such a link has none. An index has each count with its owner, so both are written at once.
fn change_count(sql: &Connection, link: i64, clicks: i64) -> Result<()> {
    if clicks > 0 {
        if sql
            .prepare_cached("UPDATE click_counts SET clicks = clicks + ?2 WHERE link = ?1")?
            .execute((link, clicks))?
            == 0
        {
            sql.prepare_cached(
                "INSERT INTO click_counts (link, clicks, owner) VALUES (?1, ?2, (SELECT owner FROM links WHERE id = ?1))",
            )?
            .execute((link, clicks))?;
        }
    } else if clicks < 0 {
        let row = (link, -clicks);
        let lowered = "UPDATE click_counts SET clicks = clicks - ?2 WHERE link = ?1 AND clicks > ?2";
        if sql.prepare_cached(lowered)?.execute(row)? == 0 {
            sql.prepare_cached("DELETE FROM click_counts WHERE link = ?1 AND clicks <= ?2")?.execute(row)?;
        }
    }
    Ok(())
}
