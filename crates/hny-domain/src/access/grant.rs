//! What an API key was given.

use thiserror::Error;

use super::Role;
use crate::DomainId;

/// A role, and how far it reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grant {
    role: Role,
    own_links: bool,
    domain: Option<DomainId>,
}

/// Nobody is an admin of its own links only.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("an admin has all links; only an editor or a reader can be narrowed to its own")]
pub struct GrantError;

impl Grant {
    /// Everything.
    pub const EVERYTHING: Self = Self { role: Role::Admin, own_links: false, domain: None };

    /// A role; narrowed to the links that the key makes itself, as a creator always is; and to one domain.
    pub fn new(role: Role, own_links: bool, domain: Option<DomainId>) -> Result<Self, GrantError> {
        match role {
            Role::Admin if own_links => Err(GrantError),
            _ => Ok(Self { role, own_links: own_links || role == Role::Creator, domain }),
        }
    }

    /// A role as it is, not narrowed.
    pub const fn of(role: Role) -> Self {
        Self { role, own_links: matches!(role, Role::Creator), domain: None }
    }

    /// What it is for.
    pub const fn role(self) -> Role {
        self.role
    }

    /// Whether it reaches only the links that the key made.
    pub const fn has_own_links_only(self) -> bool {
        self.own_links
    }

    /// The only domain that it reaches, if it is narrowed to one.
    pub const fn domain(self) -> Option<DomainId> {
        self.domain
    }
}

impl From<Role> for Grant {
    fn from(role: Role) -> Self {
        Self::of(role)
    }
}
