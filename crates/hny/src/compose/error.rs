//! What can go wrong when parts are made.

use std::path::PathBuf;

use hny_clicks::{CountryFileError, SpoolError};
use hny_codes::snowflake;
use hny_domain::{BaseUrlError, DomainsError};
use hny_guard::FileError;
use hny_service::CodeKeyError;
use hny_store::{OpenError, StoreError};
use thiserror::Error;

/// Why the parts could not be put together.
#[derive(Debug, Error)]
pub enum ComposeError {
    /// The database cannot be opened.
    #[error(transparent)]
    Store(#[from] OpenError),
    /// There is no database yet, and what was asked for is in one.
    #[error(
        "there is no database at {0:?}; is this the folder, or the --database-url, of the service? 'hny serve' makes one"
    )]
    NoDatabase(PathBuf),
    /// The system has no randomness to give.
    #[error("the system's random generator does not answer; without it no code and no key can be made")]
    Randomness,
    /// The base URL is none.
    #[error("base_url: {0}")]
    BaseUrl(#[from] BaseUrlError),
    /// The domains cannot be told apart.
    #[error("domains: {0}")]
    Domains(#[from] DomainsError),
    /// A scheme without its secret.
    #[error(
        "HNY_CODE_KEY: must be set where links are made with 'permuted' or 'snowflake' codes; this node is not set up to make any"
    )]
    NoCodeKey,
    /// The code length is out of bounds.
    #[error("code_length: {0}")]
    CodeLength(#[from] hny_codes::LengthError),
    /// The code key or length is no good.
    #[error("code_key: {0}")]
    Permutation(#[from] hny_codes::PermutationError),
    /// A word cannot be on the list.
    #[error("unlucky_words: {0}")]
    UnluckyWord(#[from] hny_codes::WordError),
    /// A node id is out of bounds.
    #[error("{0}")]
    Node(#[from] snowflake::NodeError),
    /// Codes were made with another secret before, or the store cannot say.
    #[error(transparent)]
    CodeKey(#[from] CodeKeyError),
    /// The store cannot note a secret, or not say which database it is.
    #[error(transparent)]
    Unanswered(#[from] StoreError),
    /// Clicks have no place to wait.
    #[error(transparent)]
    Spool(#[from] SpoolError),
    /// Nobody can tell countries.
    #[error(transparent)]
    Country(#[from] CountryFileError),
    /// A list of what is blocked cannot be read.
    #[error(transparent)]
    Blocklist(#[from] FileError),
    /// No id can be made.
    #[error(transparent)]
    Ids(#[from] hny_service::IdsError),
}
