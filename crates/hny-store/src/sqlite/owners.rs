//! The SQL for whose links are.

use std::collections::BTreeMap;

use hny_domain::{KeyId, LinkId};
use rusqlite::OptionalExtension as _;

use super::Sqlite;
use crate::StoreError;

const OWNER: &str = "SELECT owner FROM links WHERE id = ?1 AND deleted_at IS NULL";

impl Sqlite {
    pub(crate) async fn owners(&self, links: Vec<LinkId>) -> Result<BTreeMap<LinkId, Option<KeyId>>, StoreError> {
        self.read_aside(move |sql| {
            let mut statement = sql.prepare_cached(OWNER)?;
            let mut owners = BTreeMap::new();
            for link in links {
                let owner = statement.query_row([link.0], |row| row.get::<_, Option<i64>>(0)).optional()?;
                owners.extend(owner.map(|owner| (link, owner.map(KeyId))));
            }
            Ok(owners)
        })
        .await
    }
}
