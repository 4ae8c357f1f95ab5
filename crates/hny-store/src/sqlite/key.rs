//! The SQL for API keys.

use hny_domain::{ApiKey, KeyId, Timestamp};
use rusqlite::{Connection, OptionalExtension as _, Result, named_params};

use super::Sqlite;
use super::row::{self, key_columns};
use crate::{LastAdmin, NewKey, Revocation, StoreError, StoredKey};

impl Sqlite {
    pub(crate) async fn insert_key(&self, key: NewKey) -> Result<ApiKey, StoreError> {
        self.change(|sql, _| Ok(insert(sql, key)?)).await
    }

    pub(crate) fn find_key(&self, id: KeyId) -> Result<Option<StoredKey>, StoreError> {
        self.read(|sql| find(sql, id))
    }

    pub(crate) async fn list_keys(&self) -> Result<Vec<ApiKey>, StoreError> {
        self.read_aside(list).await
    }

    pub(crate) async fn revoke_key(
        &self,
        id: KeyId,
        last: LastAdmin,
        now: Timestamp,
    ) -> Result<Revocation, StoreError> {
        self.change(move |sql, _| Ok(revoke(sql, id, last, now)?)).await
    }

    pub(crate) async fn note_key_use(&self, id: KeyId, at: Timestamp) -> Result<(), StoreError> {
        self.change(move |sql, _| Ok(note_use(sql, id, at)?)).await
    }
}

fn insert(sql: &Connection, key: NewKey) -> Result<ApiKey> {
    let NewKey { name, grant, expires_at, secret_hash, now } = key;
    sql.prepare_cached(
        "INSERT INTO keys (name, role, own_links, domain, expires_at, secret_hash, created_at)
        VALUES (:name, :role, :own_links, :domain, :expires_at, :secret_hash, :now)",
    )?
    .execute(named_params! {
        ":name": name,
        ":role": grant.role().as_str(),
        ":own_links": grant.has_own_links_only(),
        ":domain": grant.domain().map(|domain| domain.0),
        ":expires_at": expires_at.map(Timestamp::as_millis),
        ":secret_hash": secret_hash,
        ":now": now.as_millis(),
    })?;
    let id = KeyId(sql.last_insert_rowid());
    Ok(ApiKey { id, name, grant, created_at: now, expires_at, revoked_at: None, last_used_at: None })
}

fn find(sql: &Connection, id: KeyId) -> Result<Option<StoredKey>> {
    const FIND: &str = concat!("SELECT ", key_columns!(), ", secret_hash FROM keys WHERE id = ?1");
    sql.prepare_cached(FIND)?.query_row([id.0], row::stored_key).optional()
}

fn list(sql: &Connection) -> Result<Vec<ApiKey>> {
    const LIST: &str = concat!("SELECT ", key_columns!(), " FROM keys ORDER BY id");
    sql.prepare_cached(LIST)?.query_map([], row::key)?.collect()
}

fn revoke(sql: &Connection, id: KeyId, last: LastAdmin, now: Timestamp) -> Result<Revocation> {
    if last == LastAdmin::Keep && is_last_admin(sql, id, now)? {
        return Ok(Revocation::LastAdmin);
    }
    let mut statement = sql.prepare_cached("UPDATE keys SET revoked_at = coalesce(revoked_at, ?2) WHERE id = ?1")?;
    let is_there = statement.execute([id.0, now.as_millis()])? > 0;
    Ok(if is_there { Revocation::Revoked } else { Revocation::NoSuchKey })
}

/// Whether this key, and no other, may do everything now. The writer makes one change at a time, so no other goes meanwhile.
fn is_last_admin(sql: &Connection, id: KeyId, now: Timestamp) -> Result<bool> {
    const ADMINS: &str = "
        SELECT coalesce(sum(id = ?1), 0) > 0 AND coalesce(sum(id <> ?1), 0) = 0 FROM keys
        WHERE role = 'admin' AND domain IS NULL AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?2)";
    sql.prepare_cached(ADMINS)?.query_row([id.0, now.as_millis()], |row| row.get(0))
}

fn note_use(sql: &Connection, id: KeyId, at: Timestamp) -> Result<()> {
    const NOTE: &str =
        "UPDATE keys SET last_used_at = ?2 WHERE id = ?1 AND (last_used_at IS NULL OR last_used_at < ?2)";
    sql.prepare_cached(NOTE)?.execute([id.0, at.as_millis()]).map(drop)
}
