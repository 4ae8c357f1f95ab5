//! Makes the codes that nobody chose, by one of five schemes, and passes over those that nobody should get.

mod numbers;

use std::sync::Arc;

use hny_codes::{
    Alphabet, CounterCodes, HashCodes, LengthError, NumberTooLarge, Permutation, RandomCodes, Unlucky, snowflake,
};
use hny_domain::code::{GUARDED_LENGTH, PRIVATE_LENGTH};
use hny_domain::{BaseUrl, Caller, Code, Target, reserved};
use hny_store::StoreError;
use thiserror::Error;

use crate::code_key::{CodeKey, CodeKeyError};
use crate::randomness::Randomness;

pub use numbers::Numbers;

/// How many private codes in a row may show unlucky words.
const MOST_PASSED_OVER: u32 = 1_000;

/// How a code is made.
#[derive(Debug)]
pub enum Scheme {
    /// Drawn, each as likely as the others.
    Random(RandomCodes),
    /// A leased number.
    Counter(CounterCodes, Numbers),
    /// A leased number, permuted under a secret.
    Permuted(Permutation, Numbers),
    /// The link's own id, permuted under a secret.
    Snowflake(Permutation),
    /// A hash of owner and target.
    Hash(HashCodes),
}

/// Makes codes. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Generator(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    scheme: Scheme,
    key: Option<CodeKey>,
    private: RandomCodes,
    guarded: RandomCodes,
    unlucky: Unlucky,
    base: Arc<BaseUrl>,
    randomness: Randomness,
}

/// What a code may be made of.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Source<'a> {
    pub(crate) id: snowflake::Id,
    pub(crate) caller: Caller,
    pub(crate) target: &'a Target,
    /// Which attempt this is for one link, from 0.
    pub(crate) attempt: u32,
}

/// Why there is no code.
#[derive(Debug, Clone, Error)]
pub(crate) enum GeneratorError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    UsedUp(#[from] NumberTooLarge),
    #[error(transparent)]
    Key(#[from] CodeKeyError),
    #[error("{0} codes in a row showed unlucky words")]
    NoneLucky(u32),
}

impl Generator {
    /// Codes by `scheme`, for links under `base`, none of which shows a word of `unlucky`. With a `key` no code is made before
    /// that is checked.
    pub fn new(
        scheme: Scheme,
        key: Option<CodeKey>,
        unlucky: Unlucky,
        base: Arc<BaseUrl>,
        randomness: Randomness,
    ) -> Result<Self, LengthError> {
        let [private, guarded] =
            [PRIVATE_LENGTH, GUARDED_LENGTH].map(|length| RandomCodes::new(Alphabet::Base62, length));
        let (private, guarded) = (private?, guarded?);
        Ok(Self(Arc::new(Inner { scheme, key, private, guarded, unlucky, base, randomness })))
    }

    /// How codes are made.
    pub(crate) fn scheme(&self) -> &Scheme {
        &self.0.scheme
    }

    /// The next code for a link that is private: always a drawn one. It is short where a password is the secret.
    pub(crate) fn private_code(&self, has_password: bool) -> Result<Code, GeneratorError> {
        let codes = if has_password { self.0.guarded } else { self.0.private };
        let lucky = (0..MOST_PASSED_OVER).find_map(|_| self.lucky(&self.0.randomness.draw(codes)));
        lucky.ok_or(GeneratorError::NoneLucky(MOST_PASSED_OVER))
    }

    /// The next code for a link, or `None` when the one that its scheme and attempt lead to is not to be given.
    pub(crate) async fn code(&self, source: Source<'_>) -> Result<Option<Code>, GeneratorError> {
        if let Some(key) = &self.0.key {
            key.check().await?;
        }
        let text = match &self.0.scheme {
            Scheme::Random(codes) => self.0.randomness.draw(*codes),
            Scheme::Counter(codes, numbers) => codes.code(numbers.next().await?)?,
            Scheme::Permuted(permutation, numbers) => permutation.permute(numbers.next().await?)?,
            Scheme::Snowflake(permutation) => permutation.permute(source.id.get())?,
            Scheme::Hash(codes) => {
                let owner = source.caller.owner().map(|owner| owner.to_string()).unwrap_or_default();
                codes.code(&owner, source.target.as_str(), source.attempt.into())
            }
        };
        Ok(self.lucky(&text))
    }

    /// The text as a code, unless it is reserved or shows an unlucky word.
    fn lucky(&self, text: &str) -> Option<Code> {
        let is_lucky =
            !reserved::is_reserved(text) && !self.0.base.hides(text) && !self.0.unlucky.contains_unlucky(text);
        is_lucky.then(|| Code::parse(text).ok())?
    }
}
