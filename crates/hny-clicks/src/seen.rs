//! What is recorded on the hot road.

use hny_domain::LinkId;

/// Somebody followed a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Seen {
    /// Which one.
    pub(crate) link: LinkId,
}
