//! Why a verb was not done, named by what the caller can do next.

use hny_domain::FieldError;
use hny_store::StoreError;
use thiserror::Error;

/// Why a verb was not done. Nothing was changed.
#[derive(Debug, Clone, Error)]
pub enum Error {
    /// Fields are wrong; each says what would be right.
    #[error("fields are wrong")]
    Invalid(Vec<FieldError>),
    /// Anonymous callers may not do this, or not with these fields.
    #[error("an API key is needed")]
    KeyNeeded(Vec<FieldError>),
    /// There is no such link, or it is not the caller's.
    #[error("there is no such link")]
    LinkNotFound,
    /// Another link has the chosen code.
    #[error("the code is taken")]
    CodeTaken,
    /// Five drawn codes in a row were taken: the codes of this length are nearly used up, or the generator is broken.
    #[error("no free code was found in {0} draws")]
    NoFreeCode(u32),
    /// The store cannot do it.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Error {
    /// Whether the same call may succeed later, without any change of it.
    pub fn is_temporary(&self) -> bool {
        matches!(self, Self::NoFreeCode(_) | Self::Store(StoreError::Unavailable(_)))
    }
}
