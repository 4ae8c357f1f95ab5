//! What short codes are made of.

use hny_codes::{CounterCodes, HashCodes, Permutation, RandomCodes, snowflake};
use hny_domain::Clock;
use hny_service::{CodeKey, CodeKeyError, Numbers, Scheme};
use hny_store::{Store, StoreError};

use super::{ComposeError, Use};
use crate::config::{self, Config};

/// Sees to it that a wrong secret is found out at the start. While nobody can say which is right, no code is made; everything
/// else works.
pub(super) async fn check(key: &CodeKey) -> Result<(), ComposeError> {
    match key.check().await {
        Err(CodeKeyError::Store(error @ StoreError::Unavailable(_))) => {
            tracing::warn!(%error, "HNY_CODE_KEY cannot be checked yet; it is before the first code is made");
            Ok(())
        }
        checked => Ok(checked?),
    }
}

/// The scheme of the settings. One with a secret must have the secret that its codes were made with before.
pub(super) fn scheme(
    config: &Config,
    store: &Store,
    clock: &Clock,
    purpose: Use,
) -> Result<(Scheme, Option<CodeKey>), ComposeError> {
    let codes = &config.codes;
    if purpose == Use::Redirects {
        // Nobody asks it for a code, and these need nothing.
        return Ok((Scheme::Random(RandomCodes::new(codes.alphabet, codes.length)?), None));
    }
    if let Some(permutation) = permutation(codes)? {
        let key = CodeKey::new(store.clone(), clock.clone(), permuted_length(codes), &permutation);
        let scheme = match codes.scheme {
            hny_codes::Scheme::Snowflake => Scheme::Snowflake(permutation),
            _ => Scheme::Permuted(permutation, Numbers::new(store.clone(), purpose.numbers())),
        };
        return Ok((scheme, Some(key)));
    }
    let scheme = match codes.scheme {
        hny_codes::Scheme::Counter => {
            Scheme::Counter(CounterCodes::new(codes.length)?, Numbers::new(store.clone(), purpose.numbers()))
        }
        hny_codes::Scheme::Hash => Scheme::Hash(HashCodes::new(codes.length)?),
        _ => Scheme::Random(RandomCodes::new(codes.alphabet, codes.length)?),
    };
    Ok((scheme, None))
}

/// The permutation that the settings ask for, where the scheme has one.
fn permutation(codes: &config::Codes) -> Result<Option<Permutation>, ComposeError> {
    match &codes.key {
        None if codes.scheme.needs_key() => Err(ComposeError::NoCodeKey),
        Some(key) if codes.scheme.needs_key() => {
            Ok(Some(Permutation::new(key.reveal(), permuted_length(codes).into())?))
        }
        _ => Ok(None),
    }
}

/// How many characters a permuted code has.
fn permuted_length(codes: &config::Codes) -> u8 {
    let length = if codes.scheme == hny_codes::Scheme::Snowflake { snowflake::CODE_LENGTH } else { codes.length };
    // A code length is at most 32.
    u8::try_from(length).unwrap_or(u8::MAX)
}

/// The number of an epoch in which codes are made with one secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CodeKeyEpoch(pub u64);

/// Has codes made with the secret of the settings from now on; `None` where the scheme has no secret.
pub async fn adopt_code_key(
    config: &Config,
    store: &Store,
    clock: &Clock,
) -> Result<Option<CodeKeyEpoch>, ComposeError> {
    let Some(permutation) = permutation(&config.codes)? else { return Ok(None) };
    let (length, fingerprint) = (permuted_length(&config.codes), permutation.fingerprint());
    Ok(Some(CodeKeyEpoch(store.adopt_code_key(length, fingerprint, clock.now()).await?)))
}
