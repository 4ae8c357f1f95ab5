//! The SQL for whose links are, and where they live.

use std::collections::BTreeMap;

use hny_domain::{DomainId, KeyId, LinkId};
use rusqlite::OptionalExtension as _;

use super::Sqlite;
use crate::StoreError;
use crate::homes::Home;

const HOME: &str = "SELECT owner, domain FROM links WHERE id = ?1 AND deleted_at IS NULL";

impl Sqlite {
    pub(crate) async fn homes(&self, links: Vec<LinkId>) -> Result<BTreeMap<LinkId, Home>, StoreError> {
        self.read_aside(move |sql| {
            let mut statement = sql.prepare_cached(HOME)?;
            let mut homes = BTreeMap::new();
            for link in links {
                let home = statement.query_row([link.0], |row| {
                    Ok(Home { owner: row.get::<_, Option<i64>>(0)?.map(KeyId), domain: DomainId(row.get(1)?) })
                });
                homes.extend(home.optional()?.map(|home| (link, home)));
            }
            Ok(homes)
        })
        .await
    }
}
