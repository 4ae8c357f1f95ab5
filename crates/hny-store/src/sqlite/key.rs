//! The SQL for API keys.

use hny_domain::{KeyId, Timestamp};
use rusqlite::{Connection, OptionalExtension as _, Result, named_params};

use super::Sqlite;
use super::row::{self, key_columns};
use crate::{Key, NewKey, StoreError};

impl Sqlite {
    pub(crate) async fn insert_key(&self, key: NewKey) -> Result<Key, StoreError> {
        self.change(|sql, _| Ok(insert(sql, key)?)).await
    }

    pub(crate) fn find_key(&self, id: KeyId) -> Result<Option<Key>, StoreError> {
        self.read(|sql| find(sql, id))
    }

    pub(crate) async fn list_keys(&self) -> Result<Vec<Key>, StoreError> {
        self.read_aside(list).await
    }

    pub(crate) async fn revoke_key(&self, id: KeyId, now: Timestamp) -> Result<bool, StoreError> {
        self.change(move |sql, _| Ok(revoke(sql, id, now)?)).await
    }
}

fn insert(sql: &Connection, key: NewKey) -> Result<Key> {
    let NewKey { name, role, secret_hash, now } = key;
    sql.prepare_cached(
        "INSERT INTO keys (name, role, secret_hash, created_at) VALUES (:name, :role, :secret_hash, :now)",
    )?
    .execute(named_params! {
        ":name": name,
        ":role": role.as_str(),
        ":secret_hash": secret_hash,
        ":now": now.as_millis(),
    })?;
    Ok(Key { id: KeyId(sql.last_insert_rowid()), name, role, created_at: now, revoked_at: None, secret_hash })
}

fn find(sql: &Connection, id: KeyId) -> Result<Option<Key>> {
    const FIND: &str = concat!("SELECT ", key_columns!(), " FROM keys WHERE id = ?1");
    sql.prepare_cached(FIND)?.query_row([id.0], row::key).optional()
}

fn list(sql: &Connection) -> Result<Vec<Key>> {
    const LIST: &str = concat!("SELECT ", key_columns!(), " FROM keys ORDER BY id");
    sql.prepare_cached(LIST)?.query_map([], row::key)?.collect()
}

fn revoke(sql: &Connection, id: KeyId, now: Timestamp) -> Result<bool> {
    let mut statement = sql.prepare_cached("UPDATE keys SET revoked_at = coalesce(revoked_at, ?2) WHERE id = ?1")?;
    Ok(statement.execute([id.0, now.as_millis()])? > 0)
}
