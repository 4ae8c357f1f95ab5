//! The contract for lists of links.

mod reading;

use hny_domain::{Link, Listing, Place, Sight, Timestamp};

use crate::store::Engine;
use crate::{Store, StoreError};

pub(crate) use reading::{Answer, Argument, Reading};

/// Links that a page looks at, at most. Where few of them are what is asked for, the page is short and the next goes on behind
/// them: nobody waits for a million links to be read.
pub const LOOKED_AT: usize = 10_000;

/// What is asked of a list.
#[derive(Debug, Clone)]
pub struct ListQuestion {
    /// Which links there are, for who asks.
    pub sight: Sight,
    /// The page that is asked for.
    pub listing: Listing,
    /// When it is asked.
    pub now: Timestamp,
}

/// A page of links.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkPage {
    /// The links, in order.
    pub links: Vec<Link>,
    /// Where the next page begins; `None` at the end of the list.
    pub next: Option<Place>,
}

impl Store {
    /// A page of links. With each page behind the one before, every link that is there all the time and keeps what is asked for comes
    /// once, whatever happens to others meanwhile. (By clicks, too, as long as its clicks stay the same.)
    ///
    /// Not more than [`LOOKED_AT`] links are looked at, so a page may have few links, or none, though it is not the last. With
    /// PostgreSQL the primary is asked.
    pub async fn list_links(&self, question: ListQuestion) -> Result<LinkPage, StoreError> {
        match self.engine() {
            Engine::Sqlite(sqlite) => sqlite.list_links(question).await,
            Engine::Postgres(postgres) => postgres.list_links(question).await,
        }
    }
}
