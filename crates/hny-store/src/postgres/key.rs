//! The SQL for API keys.

use std::sync::Arc;

use hny_domain::{ApiKey, KeyId, Timestamp};
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

use super::Postgres;
use super::change::{First, Question, Verdict, change};
use super::failure::Failure;
use super::row::{self, key_columns};
use crate::{LastAdmin, NewKey, Revocation, StoreError, StoredKey};

impl Postgres {
    pub(crate) async fn insert_key(&self, key: NewKey) -> Result<ApiKey, StoreError> {
        let line = Arc::clone(&self.changes);
        self.run(async move {
            let NewKey { name, grant, expires_at, secret_hash, now } = key;
            let parameters: [&(dyn ToSql + Sync); 7] = [
                &name,
                &grant.role().as_str(),
                &grant.has_own_links_only(),
                &grant.domain().map(|domain| domain.0.cast_signed()),
                &expires_at.map(Timestamp::as_millis),
                &secret_hash.as_slice(),
                &now.as_millis(),
            ];
            let question = Question { first: First::Begin, sql: INSERT, parameters: &parameters };
            change(&*line.lock().await, &question, |_, made| Ok(Verdict::Keep(row::key(only(made)?)?))).await
        })
        .await
    }

    pub(crate) async fn find_key(&self, id: KeyId) -> Result<Option<StoredKey>, StoreError> {
        let rows = self.readers.ask(FIND, &[&id.0]).await?;
        Ok(rows.first().map(row::stored_key).transpose()?)
    }

    pub(crate) async fn list_keys(&self) -> Result<Vec<ApiKey>, StoreError> {
        let rows = self.readers.ask(LIST, &[]).await?;
        Ok(rows.iter().map(row::key).collect::<Result<_, _>>()?)
    }

    pub(crate) async fn revoke_key(
        &self,
        id: KeyId,
        last: LastAdmin,
        now: Timestamp,
    ) -> Result<Revocation, StoreError> {
        let line = Arc::clone(&self.changes);
        self.run(async move {
            let parameters: [&(dyn ToSql + Sync); 3] = [&id.0, &now.as_millis(), &(last == LastAdmin::Keep)];
            let question = Question { first: First::Begin, sql: REVOKE, parameters: &parameters };
            change(&*line.lock().await, &question, |_, found| revocation(found)).await
        })
        .await
    }

    pub(crate) async fn note_key_use(&self, id: KeyId, at: Timestamp) -> Result<(), StoreError> {
        let line = Arc::clone(&self.changes);
        self.run(async move {
            let parameters: [&(dyn ToSql + Sync); 2] = [&id.0, &at.as_millis()];
            let question = Question { first: First::Begin, sql: NOTE_USE, parameters: &parameters };
            change(&*line.lock().await, &question, |_, _| Ok(Verdict::Keep(()))).await
        })
        .await
    }
}

const INSERT: &str = concat!(
    "INSERT INTO keys (name, role, own_links, domain, expires_at, secret_hash, created_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING ",
    key_columns!()
);

const FIND: &str = concat!("SELECT ", key_columns!(), ", secret_hash FROM keys WHERE id = $1");

const LIST: &str = concat!("SELECT ", key_columns!(), " FROM keys ORDER BY id");

/// Whether the key is there, and whether it was kept. Whoever may not revoke the last admin locks those that there are, in the order
/// of their ids, so of two that are revoked at once one waits for the other and then sees that it is gone.
const REVOKE: &str = "
    WITH admins AS (
        SELECT id FROM keys
        WHERE $3::boolean AND role = 'admin' AND domain IS NULL AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)
        ORDER BY id FOR UPDATE
    ), last AS (
        SELECT array_agg(id) = ARRAY[$1::bigint] AS is_last FROM admins
    ), revoked AS (
        UPDATE keys SET revoked_at = coalesce(revoked_at, $2) FROM last
        WHERE id = $1::bigint AND is_last IS NOT TRUE RETURNING id
    )
    SELECT coalesce(is_last, false) FROM last WHERE is_last OR EXISTS (SELECT FROM revoked)";

const NOTE_USE: &str =
    "UPDATE keys SET last_used_at = $2 WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $2)";

fn revocation(found: &[Row]) -> Result<Verdict<Revocation>, Failure> {
    Ok(match found.first().map(|row| row::get(row, 0)).transpose()? {
        Some(true) => Verdict::Leave(Revocation::LastAdmin),
        Some(false) => Verdict::Keep(Revocation::Revoked),
        None => Verdict::Leave(Revocation::NoSuchKey),
    })
}

/// The row of a statement that always has one.
pub(super) fn only(rows: &[Row]) -> Result<&Row, Failure> {
    rows.first().ok_or_else(|| row::corrupt(std::io::Error::other("a row is missing")))
}
