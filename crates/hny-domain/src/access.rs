//! Who may ask for what.

mod api_key;
mod grant;
pub mod key_input;
mod role;
mod sight;

use std::fmt;

use crate::DomainId;

pub use api_key::ApiKey;
pub use grant::{Grant, GrantError};
pub use key_input::{KeyDraft, KeyInput, KeyMaker};
pub use role::{Role, RoleError};
pub use sight::Sight;

/// The public number of an API key. It names the key in lists and logs, and the owner of the links made with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct KeyId(pub i64);

impl fmt::Display for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Who asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Caller {
    /// Somebody without a key. May create, where the operator allows it, and nothing else.
    Anonymous,
    /// An API key with what it was given.
    Key(KeyId, Grant),
    /// Whoever runs the program on the machine that holds the database.
    Operator,
}

impl Caller {
    /// The owner of the links that this caller makes. A link made by nobody, or by the operator, belongs to the admins.
    pub const fn owner(self) -> Option<KeyId> {
        match self {
            Self::Key(id, _) => Some(id),
            Self::Anonymous | Self::Operator => None,
        }
    }

    /// The links that this caller may see; `None` is no link at all.
    pub fn sights(self) -> Option<Sight> {
        let (owner, grant) = match self {
            Self::Anonymous => return None,
            Self::Operator => (None, Grant::EVERYTHING),
            Self::Key(id, grant) => (grant.has_own_links_only().then_some(id), grant),
        };
        Some(Sight { owner, domain: grant.domain() })
    }

    /// The links that this caller may change, all of which it sees; `None` is no link at all. What is seen and not changed by a
    /// caller is refused as such, what is not seen is not there.
    pub fn changes(self) -> Option<Sight> {
        self.sights().filter(|_| self.role() != Some(Role::Reader))
    }

    /// Whether this caller may make links on a domain. (Whether callers without a key may make any is a setting.)
    pub fn may_create_on(self, domain: DomainId) -> bool {
        self.role() != Some(Role::Reader) && self.domain().is_none_or(|only| only == domain)
    }

    /// The only domain that this caller has to do with, if it is narrowed to one.
    pub fn domain(self) -> Option<DomainId> {
        match self {
            Self::Key(_, grant) => grant.domain(),
            Self::Anonymous | Self::Operator => None,
        }
    }

    /// Whether this caller may do everything there is on this installation.
    pub fn is_admin(self) -> bool {
        self.role() == Some(Role::Admin) && self.domain().is_none()
    }

    /// Whether this caller may do everything there is on a domain.
    pub fn is_admin_of(self, domain: DomainId) -> bool {
        self.role() == Some(Role::Admin) && self.domain().is_none_or(|only| only == domain)
    }

    /// Whether this caller may make, see and revoke keys that are given this. An admin of one domain has to do with the keys of
    /// that domain only, or it could make itself a mightier one.
    pub fn may_manage(self, grant: Grant) -> bool {
        self.is_admin() || grant.domain().is_some_and(|domain| self.is_admin_of(domain))
    }

    /// Whether this caller may know of a key: of those that it may manage, and of its own.
    pub fn sees_key(self, key: &ApiKey) -> bool {
        self.owner() == Some(key.id) || self.may_manage(key.grant)
    }

    /// Whether this caller may make keys, and revoke some.
    pub fn may_manage_keys(self) -> bool {
        self.role() == Some(Role::Admin)
    }

    fn role(self) -> Option<Role> {
        match self {
            Self::Anonymous => None,
            Self::Key(_, grant) => Some(grant.role()),
            Self::Operator => Some(Role::Admin),
        }
    }
}

#[cfg(test)]
mod tests;
