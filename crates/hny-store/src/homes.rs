//! The contract for whose links are and where they live, by their numbers.

use std::collections::BTreeMap;

use hny_domain::{DomainId, KeyId, LinkId};

use crate::store::Engine;
use crate::{Store, StoreError};

/// What decides who sees a link. It never changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Home {
    /// The key that the link belongs to; `None` is nobody's.
    pub owner: Option<KeyId>,
    /// The domain that it lives on.
    pub domain: DomainId,
}

impl Store {
    /// Those of these links that are there, each with its home. The primary is asked, so a link whose deletion was answered is not among
    /// them. A link may be asked for twice. Some thousand at a time are well.
    pub async fn homes(&self, links: Vec<LinkId>) -> Result<BTreeMap<LinkId, Home>, StoreError> {
        match self.engine() {
            Engine::Sqlite(sqlite) => sqlite.homes(links).await,
            Engine::Postgres(postgres) => postgres.homes(links).await,
        }
    }
}
