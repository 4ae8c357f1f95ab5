//! The contract for counts of clicks.

use hny_domain::LinkId;

use crate::store::Engine;
use crate::{SpoolStep, Store, StoreError};

impl Store {
    /// Adds to the clicks of links, and notes how far the clicks of the spool they come from are counted now: all of it, durably,
    /// or after an error nothing. `false`, and nothing, when they are not counted as far as the step says they are: then these or
    /// others were counted meanwhile, and [`Store::open_spool`] says how far.
    ///
    /// Each call is one change, so hand over some thousand links at a time, or who makes a link waits long behind it; and by
    /// ascending id, so that links that were made together are written together. A link may appear twice.
    ///
    /// Only links that are there are counted: an id that no link has, or that of a deleted one, is passed over. No link gets a
    /// new version, so nobody who listens for changes is told. A count that would be too great for the database
    /// (2^63 - 1) stays at the greatest.
    pub async fn add_clicks(&self, clicks: Vec<(LinkId, u64)>, step: SpoolStep) -> Result<bool, StoreError> {
        match self.engine() {
            Engine::Sqlite(sqlite) => sqlite.add_clicks(clicks, step).await,
            Engine::Postgres(postgres) => postgres.add_clicks(clicks, step).await,
        }
    }

    /// How many clicks of a link were added; 0 when there is no such link, and from the moment it is deleted.
    pub async fn clicks_of(&self, link: LinkId) -> Result<u64, StoreError> {
        match self.engine() {
            Engine::Sqlite(sqlite) => sqlite.clicks_of(link),
            Engine::Postgres(postgres) => postgres.clicks_of(link).await,
        }
    }
}
