//! What a visit needs of a link, and no more: little enough to be kept for millions of links.

use crate::{LinkId, LinkState, RedirectStatus, Timestamp, Version};

/// Where a link leads, and under which rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lead<'a> {
    /// Whose lead it is.
    pub link: LinkId,
    /// The text of the link's [`crate::Target`].
    pub target: &'a str,
    /// Where visitors go when the link is over: the text of a target, too.
    pub expired_url: Option<&'a str>,
    /// Under which rules.
    pub rules: Rules,
    /// The change that made the link what it is.
    pub version: Version,
}

/// The rules of a link: all that a decision depends on, but the target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a rule of its own")]
pub struct Rules {
    /// Whether its owner has it switched on.
    pub active: bool,
    /// Before this instant it is absent.
    pub valid_from: Option<Timestamp>,
    /// From this instant on it is gone.
    pub expires_at: Option<Timestamp>,
    /// The status it asks for; `None` follows the setting.
    pub redirect_status: Option<RedirectStatus>,
    /// Whether the visitor's query is handed on; `None` follows the setting.
    pub forward_query: Option<bool>,
    /// Whether what stands behind the code in a visitor's path is handed on.
    pub forwards_path: bool,
    /// Whether it may be followed so many times only. How often it was, only the primary database knows.
    pub is_limited: bool,
    /// Whether its visitors must know a password.
    pub is_locked: bool,
    /// Whether its code was made so long that nobody guesses it.
    pub is_private: bool,
}

impl Rules {
    /// Those of a link that asks for nothing, as most do.
    pub const PLAIN: Self = Self {
        active: true,
        valid_from: None,
        expires_at: None,
        redirect_status: None,
        forward_query: None,
        forwards_path: false,
        is_limited: false,
        is_locked: false,
        is_private: false,
    };

    /// Whether it is nobody's business where the link leads: nobody is told of its target who could not follow it.
    pub const fn is_secret(&self) -> bool {
        self.is_private || self.is_locked
    }

    /// Whether it depends on the time what the link is.
    pub const fn has_schedule(&self) -> bool {
        self.valid_from.is_some() || self.expires_at.is_some()
    }

    /// What the link is at `now`, but for whether it is used up. This one match says, for every path, whether a link redirects.
    pub fn state(&self, now: Timestamp) -> LinkState {
        if !self.active {
            LinkState::Disabled
        } else if self.expires_at.is_some_and(|end| now >= end) {
            LinkState::Expired
        } else if self.valid_from.is_some_and(|start| now < start) {
            LinkState::Scheduled
        } else {
            LinkState::Active
        }
    }
}
