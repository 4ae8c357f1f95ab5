//! The contract for lists of links.

use hny_domain::{Link, Listing, Order, Place, Sight, Timestamp};

use crate::store::Engine;
use crate::{Store, StoreError};

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

/// A page while links are looked at, one after the other.
#[derive(Debug)]
pub(crate) struct Reading<'a> {
    question: &'a ListQuestion,
    page: LinkPage,
    looked_at: usize,
    last: Option<Place>,
}

impl<'a> Reading<'a> {
    pub(crate) fn new(question: &'a ListQuestion) -> Self {
        let page = LinkPage { links: Vec::new(), next: None };
        Self { question, page, looked_at: 0, last: question.listing.after }
    }

    /// Looks at the next link. `false`: the page is at its end, and the link belongs to the next.
    pub(crate) fn look_at(&mut self, link: Link, clicks: i64) -> bool {
        let ListQuestion { sight, listing, now } = self.question;
        if self.page.links.len() == listing.limit || self.looked_at == LOOKED_AT {
            self.page.next = self.last;
            return false;
        }
        self.looked_at += 1;
        self.last = Some(Place { clicks: listing.order.by_clicks.then_some(clicks), link: link.id });
        if sight.includes(link.owner, link.domain) && listing.filter.admits(&link, *now) {
            self.page.links.push(link);
        }
        true
    }

    /// How many links must be read to see the page to its end, and one more, if all of them are what is asked for.
    pub(crate) fn wanted(&self) -> usize {
        let ListQuestion { sight, listing, .. } = self.question;
        let (missing, left) = (listing.limit - self.page.links.len(), LOOKED_AT - self.looked_at);
        let are_all_admitted = listing.filter.admits_all() && sight.domain.is_none();
        1 + if are_all_admitted { missing.min(left) } else { left }
    }

    /// Where the links are that come next: between two ids, or behind a number of clicks and an id.
    pub(crate) fn bounds(&self) -> (i64, i64) {
        let Order { by_clicks, is_descending } = self.question.listing.order;
        if by_clicks {
            let beginning = if is_descending { i64::MAX } else { i64::MIN };
            let behind = |Place { clicks, link }: Place| (clicks.unwrap_or(beginning), link.0);
            return self.last.map_or((beginning, beginning), behind);
        }
        let (low, high) = self.question.listing.filter.ids();
        match self.last {
            None => (low.0, high.0),
            Some(Place { link, .. }) if is_descending => (low.0, high.0.min(link.0)),
            Some(Place { link, .. }) => (low.0.max(link.0), high.0),
        }
    }

    pub(crate) fn finish(self) -> LinkPage {
        self.page
    }
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
