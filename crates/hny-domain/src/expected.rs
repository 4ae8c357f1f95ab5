//! What a caller knows of a link that it changes.

use crate::Version;

/// The states of a link that a change is meant for. A link in another state stays as it is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Expected {
    /// Whatever it is.
    #[default]
    Any,
    /// What one of these changes made of it.
    OneOf(Vec<Version>),
}

impl Expected {
    /// Whether a link with this version is meant.
    pub fn includes(&self, version: Version) -> bool {
        match self {
            Self::Any => true,
            Self::OneOf(versions) => versions.contains(&version),
        }
    }
}
