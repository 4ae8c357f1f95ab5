//! What kinds of API keys there are.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// What an API key is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Everything, API keys too.
    Admin,
    /// Makes links, sees and changes all.
    Editor,
    /// Makes links, sees and changes those it made.
    Creator,
    /// Sees all links, changes none and makes none.
    Reader,
}

/// The word is not a role.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("a role is admin, editor, creator or reader")]
pub struct RoleError;

impl Role {
    /// All of them, the mightiest first.
    pub const ALL: [Self; 4] = [Self::Admin, Self::Editor, Self::Creator, Self::Reader];

    /// The word for it, in tables and on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Admin => "admin",
            Self::Editor => "editor",
            Self::Creator => "creator",
            Self::Reader => "reader",
        }
    }
}

impl FromStr for Role {
    type Err = RoleError;

    fn from_str(text: &str) -> Result<Self, RoleError> {
        Self::ALL.into_iter().find(|role| role.as_str() == text).ok_or(RoleError)
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_role_is_read_by_its_word_and_nothing_else() {
        for role in Role::ALL {
            assert_eq!(role.to_string().parse(), Ok(role));
        }
        for text in ["", "Admin", "admin ", "king", "edit"] {
            assert_eq!(text.parse::<Role>(), Err(RoleError), "{text:?}");
        }
    }
}
