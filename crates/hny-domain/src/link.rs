//! The link: domain + code + target + rules + life.

use std::fmt;

use crate::{Code, KeyId, Lead, PasswordHash, RedirectStatus, Rules, Tag, Target, Timestamp, Version};

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
    /// Codes that it had and is still found by.
    pub aliases: Vec<Code>,
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
    /// How often it may be followed; `None` is no limit.
    pub max_clicks: Option<u32>,
    /// How often it was followed while that had a limit.
    pub clicks_used: u32,
    /// The status it asks for; `None` follows the setting.
    pub redirect_status: Option<RedirectStatus>,
    /// Whether the visitor's query is handed on; `None` follows the setting.
    pub forward_query: Option<bool>,
    /// Whether what stands behind the code in a visitor's path is handed on.
    pub forward_path: bool,
    /// Where visitors go when it is expired or used up; `None` tells them so.
    pub expired_url: Option<Target>,
    /// What its visitors must know.
    pub password: Option<PasswordHash>,
    /// Whether its code was made so long that nobody guesses it.
    pub private: bool,
    /// A line for its owner.
    pub title: Option<String>,
    /// Words to find it by.
    pub tags: Vec<Tag>,
    /// More lines for its owner.
    pub note: Option<String>,
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
    /// It was followed as often as it may be.
    UsedUp,
}

impl Link {
    /// What a visit needs of it.
    pub fn lead(&self) -> Lead<'_> {
        Lead {
            link: self.id,
            target: self.target.as_str(),
            expired_url: self.expired_url.as_ref().map(Target::as_str),
            rules: self.rules(),
            version: self.version,
        }
    }

    /// Its code and its aliases, each with its version: a change of the link is a change of each, one behind the other.
    pub fn codes(&self) -> impl Iterator<Item = (&Code, Version)> {
        let versions = (self.version.0..).map(Version);
        std::iter::once(&self.code).chain(&self.aliases).zip(versions)
    }

    /// Its rules.
    pub const fn rules(&self) -> Rules {
        Rules {
            active: self.active,
            valid_from: self.valid_from,
            expires_at: self.expires_at,
            redirect_status: self.redirect_status,
            forward_query: self.forward_query,
            forwards_path: self.forward_path,
            is_limited: self.max_clicks.is_some(),
            is_locked: self.password.is_some(),
            is_private: self.private,
        }
    }

    /// Whether the link has nothing but its target; see [`crate::Draft::is_plain`].
    pub fn is_plain(&self) -> bool {
        let has_words = self.title.is_some() || self.note.is_some() || !self.tags.is_empty();
        self.rules() == Rules::PLAIN && self.expired_url.is_none() && !has_words
    }

    /// What the link is at `now`.
    pub fn state(&self, now: Timestamp) -> LinkState {
        match self.rules().state(now) {
            LinkState::Active if self.is_used_up() => LinkState::UsedUp,
            state => state,
        }
    }

    /// Whether it was followed as often as it may be.
    pub fn is_used_up(&self) -> bool {
        self.max_clicks.is_some_and(|limit| self.clicks_used >= limit)
    }
}

impl LinkState {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Active, Self::Disabled, Self::Scheduled, Self::Expired, Self::UsedUp];

    /// The word for it on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Disabled => "disabled",
            Self::Scheduled => "scheduled",
            Self::Expired => "expired",
            Self::UsedUp => "used-up",
        }
    }
}

impl fmt::Display for LinkState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
