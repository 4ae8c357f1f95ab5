//! Bringing the tables of ClickHouse to what this version needs.
//!
//! ClickHouse has no transactions for this, so each statement is one that may be said again: who is interrupted, or is at it
//! together with others, ends with the same tables. What was done is noted when it is done.

use std::time::Duration;

use hny_store::DatabaseId;

use super::{ClickHouse, ClickHouseError, in_time};

/// What is to be said, by its number. A new one goes to the end.
const MIGRATIONS: &[(u32, &str)] =
    &[(1, include_str!("migrations/V1__clicks.sql")), (2, include_str!("migrations/V2__domains.sql"))];

const APPLIED: &str = "
    CREATE TABLE IF NOT EXISTS migrations (version UInt32, applied_at DateTime('UTC') DEFAULT now())
    ENGINE = ReplacingMergeTree ORDER BY version";

/// The tables that forget, and the day of a row of each.
const DATED: [(&str, &str); 3] =
    [("clicks", "toDate(at)"), ("click_quarters", "toDate(quarter)"), ("click_visitors", "day")];

/// Whatever is kept for longer is kept for ever: ClickHouse cannot write the days on which it would be forgotten.
const MOST_DAYS: u64 = 50 * 366;

/// Remembers whose clicks these are.
pub(super) async fn claim(clickhouse: &ClickHouse, database: DatabaseId) -> Result<(), ClickHouseError> {
    let asked = "SELECT DISTINCT database FROM origin";
    let mut owners: Vec<u64> = in_time(clickhouse.query(asked).fetch_all()).await?;
    if owners.is_empty() {
        in_time(clickhouse.query("INSERT INTO origin (database) VALUES (?)").bind(database.0).execute()).await?;
        // Others may have said so at the same time.
        owners = in_time(clickhouse.query(asked).fetch_all()).await?;
    }
    if owners == [database.0] { Ok(()) } else { Err(ClickHouseError::OfOthers) }
}

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
pub(super) async fn keep(clickhouse: &ClickHouse, keep: Option<Duration>) -> Result<(), ClickHouseError> {
    let days = keep.map(|keep| keep.as_secs().div_ceil(24 * 60 * 60)).filter(|days| *days <= MOST_DAYS);
    for (table, day) in DATED {
        let asked = "SELECT create_table_query FROM system.tables WHERE database = currentDatabase() AND name = ?";
        let made: String = in_time(clickhouse.query(asked).bind(table).fetch_one()).await?;
        let change = match days.map(|days| format!("{day} + toIntervalDay({days})")) {
            // To say it again would have ClickHouse look through all there is.
            Some(rule) if made.contains(&format!(" TTL {rule} ")) => continue,
            Some(rule) => format!("MODIFY TTL {rule}"),
            None if made.contains(" TTL ") => "REMOVE TTL".to_owned(),
            None => continue,
        };
        clickhouse.execute(&format!("ALTER TABLE {table} {change}")).await?;
    }
    Ok(())
}

/// The statements of a file: each ends with a semicolon at the end of a line.
fn statements(sql: &str) -> impl Iterator<Item = &str> {
    sql.split(";\n").map(str::trim).filter(|statement| !statement.is_empty())
}
