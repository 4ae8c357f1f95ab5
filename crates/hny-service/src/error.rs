//! Why a verb was not done, named by what the caller can do next.

use hny_domain::FieldError;
use hny_store::StoreError;
use thiserror::Error;

use crate::code_key::CodeKeyError;
use crate::generator::GeneratorError;
use crate::ids::IdsError;

/// Why a verb was not done. Nothing was changed.
#[derive(Debug, Clone, Error)]
pub enum Error {
    /// Fields are wrong; each says what would be right.
    #[error("fields are wrong")]
    Invalid(Vec<FieldError>),
    /// A provider suspects the pages of these fields.
    #[error("pages are suspected of harm")]
    Suspected(Vec<FieldError>),
    /// Anonymous callers may not do this, or not with these fields.
    #[error("an API key is needed")]
    KeyNeeded(Vec<FieldError>),
    /// The key does not have the right to it.
    #[error("the API key may not do this")]
    NotAllowed,
    /// There is no such link, or the caller may not know of it.
    #[error("there is no such link")]
    LinkNotFound,
    /// There is no such API key, or the caller may not know of it.
    #[error("there is no such API key")]
    KeyNotFound,
    /// Nobody could do everything any more, by way of the API, without this key.
    #[error("this is the last API key that may do everything")]
    LastAdminKey,
    /// There is no such report of abuse.
    #[error("there is no such report")]
    ReportNotFound,
    /// Another link has the chosen code.
    #[error("the code is taken")]
    CodeTaken,
    /// The chosen code looks like another chosen one.
    #[error("the code looks like another")]
    Lookalike,
    /// The link was changed since the caller saw it.
    #[error("the link is another by now")]
    Outdated,
    /// The key of this request came with another one before.
    #[error("the request has the key of another")]
    OtherRequest,
    /// The same request is running.
    #[error("the same request is running")]
    StillRunning,
    /// So many codes in a row were taken: the codes of this length are nearly used up, or their generator is broken.
    #[error("no free code was found in {0} tries")]
    NoFreeCode(u32),
    /// The numbers that codes are made of no longer fit the code length.
    #[error("the codes of this length are used up")]
    CodesUsedUp,
    /// Codes were made with another secret before.
    #[error("the codes were made with another key")]
    OtherCodeKey,
    /// There is no id for the link.
    #[error(transparent)]
    Ids(#[from] IdsError),
    /// The store cannot do it.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Error {
    /// Whether the same call may succeed later, without any change of it.
    pub fn is_temporary(&self) -> bool {
        match self {
            Self::Store(error) | Self::Ids(IdsError::Store(error)) => matches!(error, StoreError::Unavailable(_)),
            Self::NoFreeCode(_) | Self::CodesUsedUp | Self::OtherCodeKey | Self::StillRunning | Self::Ids(_) => true,
            Self::Invalid(_)
            | Self::Suspected(_)
            | Self::KeyNeeded(_)
            | Self::NotAllowed
            | Self::LinkNotFound
            | Self::KeyNotFound
            | Self::LastAdminKey
            | Self::ReportNotFound
            | Self::CodeTaken
            | Self::Lookalike
            | Self::Outdated
            | Self::OtherRequest => false,
        }
    }
}

impl From<GeneratorError> for Error {
    fn from(error: GeneratorError) -> Self {
        match error {
            GeneratorError::Store(error) | GeneratorError::Key(CodeKeyError::Store(error)) => Self::Store(error),
            GeneratorError::Key(CodeKeyError::Different) => Self::OtherCodeKey,
            GeneratorError::UsedUp(_) => Self::CodesUsedUp,
            GeneratorError::NoneLucky(tries) => Self::NoFreeCode(tries),
        }
    }
}
