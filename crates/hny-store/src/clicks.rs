//! The contract for clicks: how they come in.

use hny_domain::{Click, LinkId};

use crate::store::Engine;
use crate::{SpoolStep, Store, StoreError};

impl Store {
    /// Stores clicks, counts them, and notes how far those of the spool they come from are stored now: all of it, durably, or
    /// after an error nothing. `false`, and nothing, when the spool is not where the step begins: then these or others were
    /// stored meanwhile, and [`Store::open_spool`] says how far.
    ///
    /// Each call is one change, so hand over some thousand clicks at a time, in any order. Only those of links that are there are
    /// stored: whatever comes late for a deleted link is passed over. A click that is stored already, by its link, time and number, is
    /// not counted again. No link gets a new version, so nobody who listens for changes is told.
    ///
    /// Texts are cut to 255 bytes, and before a zero byte.
    pub async fn take_clicks(&self, clicks: Vec<Click>, step: SpoolStep) -> Result<bool, StoreError> {
        match self.engine() {
            Engine::Sqlite(sqlite) => sqlite.take_clicks(clicks, step).await,
            Engine::Postgres(postgres) => postgres.take_clicks(clicks, step).await,
        }
    }

    /// How many clicks by persons a link has; 0 when there is no such link, and from the moment it is deleted.
    pub async fn clicks_of(&self, link: LinkId) -> Result<u64, StoreError> {
        match self.engine() {
            Engine::Sqlite(sqlite) => sqlite.clicks_of(link),
            Engine::Postgres(postgres) => postgres.clicks_of(link).await,
        }
    }
}
