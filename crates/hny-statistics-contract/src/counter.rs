//! What is tested.

use hny_domain::{Click, ClickId, Dimension, DomainId, Group, KeyId, LinkId, Quarter, Scope, Span, Timestamp};

/// Takes clicks, and is asked about them. It is new: there is no link, and no click. What goes wrong in it ends the test.
#[expect(async_fn_in_trait, reason = "a test stays in its own task")]
pub trait Counter {
    /// How many rounds of random clicks there is time for.
    const ROUNDS: usize;

    /// A key that has made no link yet.
    async fn new_key(&self) -> KeyId;

    /// A domain that has no link yet.
    async fn new_domain(&self) -> DomainId;

    /// A new link.
    async fn new_link(&self, owner: Option<KeyId>, domain: DomainId) -> LinkId;

    /// Deletes a link, and its clicks with it.
    async fn delete(&self, link: LinkId);

    /// Takes clicks, none of which it has.
    async fn take(&self, clicks: Vec<Click>);

    /// Each quarter of an hour in which there was a visit.
    async fn quarters(&self, scope: Scope, span: Span) -> Vec<Quarter>;

    /// Each value that a click had, the most frequent first.
    async fn groups(&self, scope: Scope, dimension: Dimension, span: Span) -> Vec<Group>;

    /// The visits of a link in their order, behind one of them, and at most so many.
    async fn clicks(&self, link: LinkId, span: Span, after: Option<(Timestamp, ClickId)>, limit: u32) -> Vec<Click>;
}
