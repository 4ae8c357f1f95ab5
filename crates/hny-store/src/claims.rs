//! The contract for claims: how often links were followed that may be followed so many times only.
//!
//! The primary database alone knows, and grants click by click; nothing of it is cached or kept in stock anywhere.

use hny_domain::{LinkId, VisitId};

use crate::store::Engine;
use crate::{Store, StoreError};

impl Store {
    /// Takes one of the clicks that a link has left, for a visit; whether there was one. It is durable when this returns.
    ///
    /// However many ask at once, on whatever nodes, a link is granted as many as its limit has and no more. A link without a limit
    /// (its owner may have taken it away meanwhile) always has one, and one that is deleted has none.
    ///
    /// The visit that was granted the last one is granted it again, and nothing more is taken: its proxy did not hear the answer.
    /// An error does not say that none was taken, so nobody may ask again for it but by the same visit id.
    pub async fn claim_click(&self, link: LinkId, visit: Option<VisitId>) -> Result<bool, StoreError> {
        match self.engine() {
            Engine::Sqlite(sqlite) => sqlite.claim_click(link, visit).await,
            Engine::Postgres(postgres) => postgres.claim_click(link, visit).await,
        }
    }

    /// Whether a link has a click left. None is taken.
    pub async fn has_clicks_left(&self, link: LinkId) -> Result<bool, StoreError> {
        match self.engine() {
            Engine::Sqlite(sqlite) => sqlite.has_clicks_left(link),
            Engine::Postgres(postgres) => postgres.has_clicks_left(link).await,
        }
    }
}
