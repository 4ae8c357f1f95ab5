//! What a caller may do with links, as the databases ask it.

use hny_domain::{Caller, DomainId, KeyId};

/// Which links of a domain somebody may change: anybody's, or those of one owner. In SQL `owner = NULL` is never true, so
/// without both it is none.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rights {
    pub(crate) owner: Option<KeyId>,
    pub(crate) any_owner: bool,
}

impl Rights {
    /// All links.
    pub(crate) const ALL: Self = Self { owner: None, any_owner: true };

    /// The links that a caller may change.
    pub(crate) fn to_change(caller: Caller, domain: DomainId) -> Self {
        let sight = caller.changes().filter(|sight| sight.domain.is_none_or(|only| only == domain));
        Self { owner: sight.and_then(|sight| sight.owner), any_owner: sight.is_some_and(|sight| sight.owner.is_none()) }
    }

    /// The deleted links whose chosen code a caller may have again: its own, and for an admin all.
    pub(crate) fn to_take_over(caller: Caller, domain: DomainId) -> Self {
        Self { owner: caller.owner(), any_owner: caller.is_admin_of(domain) }
    }
}
