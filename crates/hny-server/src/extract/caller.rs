//! Who calls: from `Authorization: Bearer hny_…` or `X-Api-Key: hny_…`, and from nowhere else (RFC 6750, section 2.3, advises
//! against keys in URLs).

use axum::extract::FromRequestParts;
use hny_domain::Caller;
use hny_service::{Error, KeyError};
use http::header::AUTHORIZATION;
use http::request::Parts as Head;
use http::{HeaderMap, HeaderValue};

use crate::app::App;
use crate::problem::{Failure, key_needed};

/// Whoever calls. A key that was sent must be valid, even where none is needed: its owner should learn that it is not.
pub(crate) struct Anyone(pub(crate) Caller);

/// A caller with a valid key.
pub(crate) struct KeyHolder(pub(crate) Caller);

impl FromRequestParts<App> for Anyone {
    type Rejection = Failure;

    async fn from_request_parts(head: &mut Head, app: &App) -> Result<Self, Failure> {
        match presented(&head.headers) {
            Presented::Nothing => Ok(Self(Caller::Anonymous)),
            Presented::Garbage => Err(Failure(key_needed())),
            Presented::Key(text) => match app.keys.authenticate(text).await {
                Ok(caller) => Ok(Self(caller)),
                Err(KeyError::Store(error)) => Err(Error::Store(error).into()),
                Err(_) => Err(Failure(key_needed())),
            },
        }
    }
}

impl FromRequestParts<App> for KeyHolder {
    type Rejection = Failure;

    async fn from_request_parts(head: &mut Head, app: &App) -> Result<Self, Failure> {
        match Anyone::from_request_parts(head, app).await? {
            Anyone(Caller::Anonymous) => Err(Failure(key_needed())),
            Anyone(caller) => Ok(Self(caller)),
        }
    }
}

enum Presented<'a> {
    Nothing,
    Key(&'a str),
    /// Two keys, another scheme, or bytes that are no text.
    Garbage,
}

fn presented(headers: &HeaderMap) -> Presented<'_> {
    let bearer = headers.get_all(AUTHORIZATION).iter().map(bearer_key);
    let plain = headers.get_all("x-api-key").iter().map(|value| value.to_str().ok());
    let mut keys = bearer.chain(plain);
    match (keys.next(), keys.next()) {
        (None, _) => Presented::Nothing,
        (Some(Some(key)), None) => Presented::Key(key),
        _ => Presented::Garbage,
    }
}

fn bearer_key(value: &HeaderValue) -> Option<&str> {
    let (scheme, key) = value.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(key)
}
