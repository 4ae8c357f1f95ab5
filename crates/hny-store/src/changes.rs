//! The contract for hearing of changes.

use hny_domain::{Code, DomainId, Version};

use crate::Store;
use crate::listeners::Listeners;
use crate::store::Engine;

/// A link was made, edited or deleted. What it is now is for [`Store::find_link`] to say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The domain of the link.
    pub domain: DomainId,
    /// Its code.
    pub code: Code,
    /// The version that the change took.
    pub version: Version,
}

impl Store {
    /// Has `listener` called with every change of a link from now on, for as long as the store is open.
    ///
    /// * A change made through this store is reported after its commit and before its caller gets the answer.
    /// * A change made by another process on the same database is reported within 250 ms of its commit (SQLite) or 500 ms and
    ///   an answer of the primary (PostgreSQL). Of several changes of one link in that time, only the last one is.
    /// * A change may be reported twice, and reports may come from two threads at once: the version tells old from new.
    ///
    /// Changes wait while the listener runs, so it should be quick, and it must not wait for a change of its own. Subscribe
    /// before the first lookup whose answer is kept.
    pub fn subscribe(&self, listener: impl Fn(&[Change]) + Send + Sync + 'static) {
        self.listeners().add(Box::new(listener));
    }

    /// No change of this link that is newer than this version has been reported here: a copy of the link with this version, or
    /// one that was read from a copy of the database that has this version, is as new as anyone here can know.
    ///
    /// The last 100,000 changes are remembered link by link, from 10,000 before the store was opened (SQLite: from then on).
    /// For other links the answer is the version up to which changes are forgotten.
    pub fn newest_known_version(&self, domain: DomainId, code: &Code) -> Version {
        self.listeners().known().of(domain, code)
    }

    /// The newest change of this link that was reported here: a copy with an older version is old. `None` if none is remembered,
    /// which says nothing of a copy; see [`Store::newest_known_version`] for what is remembered.
    pub fn newest_reported_version(&self, domain: DomainId, code: &Code) -> Option<Version> {
        self.listeners().known().noted(domain, code)
    }

    fn listeners(&self) -> &Listeners {
        match self.engine() {
            Engine::Sqlite(sqlite) => sqlite.listeners(),
            Engine::Postgres(postgres) => postgres.listeners(),
        }
    }
}
