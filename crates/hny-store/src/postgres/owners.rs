//! The SQL for whose links are.

use std::collections::BTreeMap;

use hny_domain::{KeyId, LinkId};

use super::Postgres;
use super::failure::Failure;
use super::row;
use crate::StoreError;

const OWNERS: &str = "SELECT id, owner FROM links WHERE id = ANY($1::bigint[]) AND deleted_at IS NULL";

impl Postgres {
    pub(crate) async fn owners(&self, links: Vec<LinkId>) -> Result<BTreeMap<LinkId, Option<KeyId>>, StoreError> {
        let links: Vec<i64> = links.into_iter().map(|link| link.0).collect();
        let rows = self.readers.ask(OWNERS, &[&links]).await?;
        let owner = |row| {
            let owner: Option<i64> = row::get(row, 1)?;
            Ok((LinkId(row::get(row, 0)?), owner.map(KeyId)))
        };
        Ok(rows.iter().map(owner).collect::<Result<_, Failure>>()?)
    }
}
