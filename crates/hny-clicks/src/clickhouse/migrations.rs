//! Bringing the tables of ClickHouse to what this version needs.
//!
//! ClickHouse has no transactions for this, so each statement is one that may be said again: who is interrupted, or is at it
//! together with others, ends with the same tables. What was done is noted when it is done.

use std::time::Duration;

use super::{ClickHouse, ClickHouseError, in_time};

/// What is to be said, by its number. A new one goes to the end.
const MIGRATIONS: &[(u32, &str)] = &[(1, include_str!("migrations/V1__clicks.sql"))];

const APPLIED: &str = "
    CREATE TABLE IF NOT EXISTS migrations (version UInt32, applied_at DateTime('UTC') DEFAULT now())
    ENGINE = ReplacingMergeTree ORDER BY version";

/// The tables that forget, and when a row of each is.
const DATED: [(&str, &str); 3] =
    [("clicks", "toDateTime(at)"), ("click_quarters", "quarter"), ("click_visitors", "day")];

pub(super) async fn run(clickhouse: &ClickHouse) -> Result<(), ClickHouseError> {
    clickhouse.execute(APPLIED).await?;
    let newest: u32 = in_time(clickhouse.query("SELECT max(version) FROM migrations").fetch_one()).await?;
    for (version, sql) in MIGRATIONS.iter().filter(|(version, _)| *version > newest) {
        for statement in statements(sql) {
            clickhouse.execute(statement).await?;
        }
        in_time(clickhouse.query("INSERT INTO migrations (version) VALUES (?)").bind(*version).execute()).await?;
        tracing::info!(version, "the tables of ClickHouse are new");
    }
    Ok(())
}

/// Has the tables forget what is older. That is a setting, and no migration.
pub(super) async fn keep(clickhouse: &ClickHouse, keep: Duration) -> Result<(), ClickHouseError> {
    for (table, time) in DATED {
        let rule = format!("{time} + toIntervalSecond({})", keep.as_secs());
        let asked = "SELECT create_table_query FROM system.tables WHERE database = currentDatabase() AND name = ?";
        let made: String = in_time(clickhouse.query(asked).bind(table).fetch_one()).await?;
        // To say it again would have ClickHouse look through all there is.
        if !made.contains(&format!("TTL {rule} ")) {
            clickhouse.execute(&format!("ALTER TABLE {table} MODIFY TTL {rule}")).await?;
        }
    }
    Ok(())
}

/// The statements of a file: each ends with a semicolon at the end of a line.
fn statements(sql: &str) -> impl Iterator<Item = &str> {
    sql.split(";\n").map(str::trim).filter(|statement| !statement.is_empty())
}
