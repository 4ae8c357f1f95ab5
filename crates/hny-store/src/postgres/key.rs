//! The SQL for API keys.

use std::sync::Arc;

use hny_domain::{KeyId, Timestamp};
use tokio_postgres::Row;

use super::Postgres;
use super::change::{First, Question, Verdict, change};
use super::failure::Failure;
use super::row::{self, key_columns};
use crate::{Key, NewKey, StoreError};

impl Postgres {
    pub(crate) async fn insert_key(&self, key: NewKey) -> Result<Key, StoreError> {
        let line = Arc::clone(&self.changes);
        self.run(async move {
            let NewKey { name, role, secret_hash, now } = key;
            let parameters: [&(dyn tokio_postgres::types::ToSql + Sync); 4] =
                [&name, &role.as_str(), &secret_hash.as_slice(), &now.as_millis()];
            let question = Question { first: First::Begin, sql: INSERT, parameters: &parameters };
            change(&*line.lock().await, &question, |_, made| Ok(Verdict::Keep(row::key(only(made)?)?))).await
        })
        .await
    }

    pub(crate) async fn find_key(&self, id: KeyId) -> Result<Option<Key>, StoreError> {
        let rows = self.readers.ask(FIND, &[&id.0]).await?;
        Ok(rows.first().map(row::key).transpose()?)
    }

    pub(crate) async fn list_keys(&self) -> Result<Vec<Key>, StoreError> {
        let rows = self.readers.ask(LIST, &[]).await?;
        Ok(rows.iter().map(row::key).collect::<Result<_, _>>()?)
    }

    pub(crate) async fn revoke_key(&self, id: KeyId, now: Timestamp) -> Result<bool, StoreError> {
        let line = Arc::clone(&self.changes);
        self.run(async move {
            let parameters: [&(dyn tokio_postgres::types::ToSql + Sync); 2] = [&id.0, &now.as_millis()];
            let question = Question { first: First::Begin, sql: REVOKE, parameters: &parameters };
            change(&*line.lock().await, &question, |_, revoked| Ok(Verdict::Keep(!revoked.is_empty()))).await
        })
        .await
    }
}

const INSERT: &str = concat!(
    "INSERT INTO keys (name, role, secret_hash, created_at) VALUES ($1, $2, $3, $4) RETURNING ",
    key_columns!()
);

const FIND: &str = concat!("SELECT ", key_columns!(), " FROM keys WHERE id = $1");

const LIST: &str = concat!("SELECT ", key_columns!(), " FROM keys ORDER BY id");

const REVOKE: &str = "UPDATE keys SET revoked_at = coalesce(revoked_at, $2) WHERE id = $1 RETURNING id";

/// The row of a statement that always has one.
pub(super) fn only(rows: &[Row]) -> Result<&Row, Failure> {
    rows.first().ok_or_else(|| row::corrupt(std::io::Error::other("a row is missing")))
}
