//! Who may ask for what.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// The public number of an API key. It names the key in lists and logs, and the owner of the links made with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct KeyId(pub i64);

impl fmt::Display for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What an API key may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Everything.
    Admin,
}

/// The word is not a role of this version.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the role must be 'admin', the only one in this version")]
pub struct RoleError;

impl Role {
    /// The word for it, in tables and on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Admin => "admin",
        }
    }
}

impl FromStr for Role {
    type Err = RoleError;

    fn from_str(text: &str) -> Result<Self, RoleError> {
        match text {
            "admin" => Ok(Self::Admin),
            _ => Err(RoleError),
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Who asks for a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Caller {
    /// Somebody without a key. May create, where the operator allows it, and nothing else.
    Anonymous,
    /// An API key with its role.
    Key(KeyId, Role),
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

    /// Whether this caller may do everything.
    pub const fn is_admin(self) -> bool {
        matches!(self, Self::Operator | Self::Key(_, Role::Admin))
    }
}
