//! The contract for whose links are, by their numbers.

use std::collections::BTreeMap;

use hny_domain::{KeyId, LinkId};

use crate::store::Engine;
use crate::{Store, StoreError};

impl Store {
    /// Those of these links that are there, each with the key that it belongs to; `None` is nobody's. The primary is asked, so a link
    /// whose deletion was answered is not among them. A link may be asked for twice. Some thousand at a time are well.
    pub async fn owners(&self, links: Vec<LinkId>) -> Result<BTreeMap<LinkId, Option<KeyId>>, StoreError> {
        match self.engine() {
            Engine::Sqlite(sqlite) => sqlite.owners(links).await,
            Engine::Postgres(postgres) => postgres.owners(links).await,
        }
    }
}
