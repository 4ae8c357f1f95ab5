//! The contract for what is not kept: clicks of deleted links, old clicks, expired links. All of it goes in small steps.

use hny_domain::{LinkId, Timestamp};

use crate::store::Engine;
use crate::{Store, StoreError};

/// What a step of [`Store::remove_clicks_before`] did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Removed {
    /// How many visits it removed.
    pub clicks: u64,
    /// Where the next step goes on: hand it over as `after`. `None` when there are no more links.
    pub next: Option<LinkId>,
}

impl Store {
    /// Removes up to `limit` rows of clicks and counts of deleted links, and says how many. 0: nothing is left to be removed now.
    pub async fn remove_clicks_of_deleted(&self, limit: u32) -> Result<u64, StoreError> {
        match self.engine() {
            Engine::Sqlite(sqlite) => sqlite.remove_clicks_of_deleted(limit).await,
            Engine::Postgres(postgres) => postgres.remove_clicks_of_deleted(limit).await,
        }
    }

    /// Removes visits before a UTC midnight (a time within a day is taken for the midnight before it), and what was counted of
    /// them: up to `limit` of the first link behind `after` that has some, looking at no more than `limit` links. Begin with `None`,
    /// and go on with what is answered. After each step all answers agree.
    pub async fn remove_clicks_before(
        &self,
        cut: Timestamp,
        after: Option<LinkId>,
        limit: u32,
    ) -> Result<Removed, StoreError> {
        match self.engine() {
            Engine::Sqlite(sqlite) => sqlite.remove_clicks_before(cut, after, limit).await,
            Engine::Postgres(postgres) => postgres.remove_clicks_before(cut, after, limit).await,
        }
    }

    /// Deletes up to `limit` links that expired before a time, as [`Store::delete_link`] does, and says how many.
    pub async fn remove_expired_links(&self, before: Timestamp, now: Timestamp, limit: u32) -> Result<u64, StoreError> {
        let begins = self.begins_generations();
        match self.engine() {
            Engine::Sqlite(sqlite) => sqlite.remove_expired_links(before, now, limit, begins).await,
            Engine::Postgres(postgres) => postgres.remove_expired_links(before, now, limit, begins).await,
        }
    }
}
