//! What somebody can see.

use super::KeyId;
use crate::DomainId;

/// The links that a caller may know of. To whom a link is out of sight, it is not there: not by its code, and in no list, count or
/// statistic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Sight {
    /// Whose they are; `None` is anybody's, and nobody's too.
    pub owner: Option<KeyId>,
    /// The domain they live on; `None` is any.
    pub domain: Option<DomainId>,
}

impl Sight {
    /// All links.
    pub const ALL: Self = Self { owner: None, domain: None };

    /// Those of them that live on a domain; `None` where none of them can.
    pub fn on(self, domain: DomainId) -> Option<Self> {
        let is_seen = self.domain.is_none_or(|only| only == domain);
        is_seen.then_some(Self { domain: Some(domain), ..self })
    }

    /// Whether a link with this owner and domain is among them. One that nobody owns is nobody's own.
    pub fn includes(self, owner: Option<KeyId>, domain: DomainId) -> bool {
        self.owner.is_none_or(|only| owner == Some(only)) && self.domain.is_none_or(|only| only == domain)
    }
}
