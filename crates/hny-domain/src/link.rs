//! The link: domain + code + target + rules + life.

use std::fmt;

use crate::{Code, KeyId, Lead, RedirectStatus, Rules, Target, Timestamp, Version};

/// The internal primary key of a link; never shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LinkId(pub i64);

/// The number of a domain in the database. Number 0 is the domain of the base URL, whatever that is called today.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DomainId(pub u32);

impl DomainId {
    /// The domain of the base URL.
    pub const BASE: Self = Self(0);
}

/// Where a code came from. A generated code is never given to another link; a chosen one is free again after deletion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CodeOrigin {
    /// Drawn by us.
    Generated,
    /// Chosen by the caller.
    Custom,
}

/// A link as the database has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// Internal primary key.
    pub id: LinkId,
    /// The domain it lives on.
    pub domain: DomainId,
    /// The part after the slash.
    pub code: Code,
    /// Where the code came from.
    pub origin: CodeOrigin,
    /// Where it leads.
    pub target: Target,
    /// The key that made it; `None` belongs to the admins.
    pub owner: Option<KeyId>,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
    /// Before this instant it is absent.
    pub valid_from: Option<Timestamp>,
    /// From this instant on it is gone.
    pub expires_at: Option<Timestamp>,
    /// The status it asks for; `None` follows the setting.
    pub redirect_status: Option<RedirectStatus>,
    /// Whether the visitor's query is handed on; `None` follows the setting.
    pub forward_query: Option<bool>,
    /// Whether its code was made so long that nobody guesses it.
    pub private: bool,
    /// A line for its owner.
    pub title: Option<String>,
    /// Whether its owner has it switched on.
    pub active: bool,
    /// The change that made it what it is.
    pub version: Version,
}

/// What a link is at a given time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkState {
    /// It redirects.
    Active,
    /// Its owner switched it off.
    Disabled,
    /// Its time has not come.
    Scheduled,
    /// Its time is over.
    Expired,
}

impl Link {
    /// What a visit needs of it.
    pub fn lead(&self) -> Lead<'_> {
        Lead { link: self.id, target: self.target.as_str(), rules: self.rules(), version: self.version }
    }

    /// Its rules.
    pub const fn rules(&self) -> Rules {
        Rules {
            active: self.active,
            valid_from: self.valid_from,
            expires_at: self.expires_at,
            redirect_status: self.redirect_status,
            forward_query: self.forward_query,
        }
    }

    /// Whether the link has nothing but its target; see [`crate::Draft::is_plain`].
    pub fn is_plain(&self) -> bool {
        self.rules() == Rules::PLAIN && !self.private && self.title.is_none()
    }

    /// What the link is at `now`.
    pub fn state(&self, now: Timestamp) -> LinkState {
        self.rules().state(now)
    }
}

impl LinkState {
    /// The word for it on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Disabled => "disabled",
            Self::Scheduled => "scheduled",
            Self::Expired => "expired",
        }
    }
}

impl fmt::Display for LinkState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
