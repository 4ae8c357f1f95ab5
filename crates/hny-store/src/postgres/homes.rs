//! The SQL for whose links are, and where they live.

use std::collections::BTreeMap;

use hny_domain::LinkId;

use super::Postgres;
use super::failure::Failure;
use super::row;
use crate::StoreError;
use crate::homes::Home;

const HOMES: &str = "SELECT id, owner, domain FROM links WHERE id = ANY($1::bigint[]) AND deleted_at IS NULL";

impl Postgres {
    pub(crate) async fn homes(&self, links: Vec<LinkId>) -> Result<BTreeMap<LinkId, Home>, StoreError> {
        let links: Vec<i64> = links.into_iter().map(|link| link.0).collect();
        let rows = self.readers.ask(HOMES, &[&links]).await?;
        let home =
            |row| Ok((LinkId(row::get(row, 0)?), Home { owner: row::owner(row, 1)?, domain: row::domain(row, 2)? }));
        Ok(rows.iter().map(home).collect::<Result<_, Failure>>()?)
    }
}
