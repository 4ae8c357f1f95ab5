//! The SQL for domains.

use std::collections::HashMap;
use std::sync::Arc;

use hny_domain::DomainId;
use tokio_postgres::Row;

use super::Postgres;
use super::change::{First, Question, Verdict, change};
use super::failure::Failure;
use super::row;
use crate::StoreError;

impl Postgres {
    pub(crate) async fn number_domains(&self, hosts: Vec<String>) -> Result<Vec<DomainId>, StoreError> {
        let rows = match self.readers.ask(DOMAINS, &[]).await {
            Ok(rows) => rows,
            Err(failure) => self.replicas.ask_any(DOMAINS).await.ok_or(failure)?,
        };
        if let Some(numbers) = numbers(&rows, &hosts)? {
            return Ok(numbers);
        }
        let line = Arc::clone(&self.changes);
        self.run(async move {
            let question = Question { first: First::LockLeases, sql: ADD, parameters: &[&hosts] };
            let known = change(&*line.lock().await, &question, |_, rows| Ok(Verdict::Keep(domains(rows)?))).await?;
            let number = |host| known.get(host).copied().ok_or_else(|| row::corrupt(Missing));
            hosts.iter().map(number).collect()
        })
        .await
    }
}

/// A domain that was just added is not there.
#[derive(Debug, thiserror::Error)]
#[error("a domain has no number")]
struct Missing;

const DOMAINS: &str = "SELECT id, host FROM domains";

/// Adds those that are not there, in the order of the list, and answers with all. (What the statement itself adds is not in what it
/// reads.)
const ADD: &str = "
    WITH added AS (
        INSERT INTO domains (id, host)
        SELECT (SELECT max(id) FROM domains) + row_number() OVER (ORDER BY w.place), w.host
        FROM unnest($1::text[]) WITH ORDINALITY AS w (host, place)
        WHERE w.host NOT IN (SELECT host FROM domains)
        RETURNING id, host
    )
    SELECT id, host FROM added UNION ALL SELECT id, host FROM domains";

/// The numbers of these hosts, if all have one.
fn numbers(rows: &[Row], hosts: &[String]) -> Result<Option<Vec<DomainId>>, Failure> {
    let known = domains(rows)?;
    Ok(hosts.iter().map(|host| known.get(host).copied()).collect())
}

fn domains(rows: &[Row]) -> Result<HashMap<String, DomainId>, Failure> {
    rows.iter().map(|row| Ok((row::get(row, 1)?, row::domain(row, 0)?))).collect()
}
