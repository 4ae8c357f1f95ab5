//! The SQL for domains.

use hny_domain::DomainId;
use rusqlite::{Connection, Result};

use super::Sqlite;
use crate::StoreError;

impl Sqlite {
    pub(crate) async fn number_domains(&self, hosts: Vec<String>) -> Result<Vec<DomainId>, StoreError> {
        self.change(move |sql, _| Ok(hosts.iter().map(|host| number(sql, host)).collect::<Result<_>>()?)).await
    }
}

fn number(sql: &Connection, host: &str) -> Result<DomainId> {
    sql.prepare_cached(
        "INSERT INTO domains (id, host) SELECT max(id) + 1, ?1 FROM domains WHERE true ON CONFLICT (host) DO NOTHING",
    )?
    .execute([host])?;
    sql.prepare_cached("SELECT id FROM domains WHERE host = ?1")?.query_row([host], |row| row.get(0).map(DomainId))
}
