//! Whether codes are made with the secret that they were made with before.

use hny_codes::Permutation;
use hny_domain::Clock;
use hny_store::{CodeKeyCheck, Store, StoreError};
use thiserror::Error;
use tokio::sync::OnceCell;

/// The secret of a scheme, as the store knows it.
#[derive(Debug)]
pub struct CodeKey {
    store: Store,
    clock: Clock,
    length: u8,
    fingerprint: String,
    is_checked: OnceCell<()>,
}

/// Why no code may be made with a secret.
#[derive(Debug, Clone, Error)]
pub enum CodeKeyError {
    /// Codes were made with another secret before.
    #[error(
        "HNY_CODE_KEY: the codes of this database were made with another key; set that one again, or begin a new epoch with this one by: hny codes adopt-key"
    )]
    Different,
    /// The store cannot say which secret that was.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl CodeKey {
    /// The secret of `permutation`, for codes of this length.
    pub fn new(store: Store, clock: Clock, length: u8, permutation: &Permutation) -> Self {
        Self { store, clock, length, fingerprint: permutation.fingerprint().to_owned(), is_checked: OnceCell::new() }
    }

    /// Asks the store, until it has said once that this is the secret, or has noted it as the first one.
    pub async fn check(&self) -> Result<(), CodeKeyError> {
        self.is_checked.get_or_try_init(|| self.ask()).await.copied()
    }

    async fn ask(&self) -> Result<(), CodeKeyError> {
        match self.store.check_code_key(self.length, &self.fingerprint, self.clock.now()).await? {
            CodeKeyCheck::Same => Ok(()),
            CodeKeyCheck::Different => Err(CodeKeyError::Different),
        }
    }
}
