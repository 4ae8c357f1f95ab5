//! The number of an API key in the path of an API call.

use axum::RequestPartsExt;
use axum::extract::{FromRequestParts, Path};
use hny_domain::KeyId;
use http::request::Parts as Head;

use super::Parameters;
use crate::app::App;
use crate::problem::{Failure, of_service};

/// The number in `/api/v1/keys/{id}`. What cannot be one has no key, so it is a 404 without a look.
pub(crate) struct PathKey(pub(crate) KeyId);

impl FromRequestParts<App> for PathKey {
    type Rejection = Failure;

    async fn from_request_parts(head: &mut Head, app: &App) -> Result<Self, Failure> {
        Parameters::from_request_parts(head, app).await?.only([])?;
        let not_found = || Failure(of_service(&hny_service::Error::KeyNotFound));
        let Path(text) = head.extract::<Path<String>>().await.map_err(|_| not_found())?;
        read(&text).map(Self).ok_or_else(not_found)
    }
}

/// A number as we write it: `7` is one, `07` and `+7` are not.
fn read(text: &str) -> Option<KeyId> {
    let id = KeyId(text.parse().ok()?);
    (id.to_string() == text).then_some(id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_written_in_one_way() {
        assert_eq!(read("7"), Some(KeyId(7)));
        assert_eq!(read("9223372036854775807"), Some(KeyId(i64::MAX)));
        for text in ["", "07", "+7", " 7", "7 ", "7.0", "0x7", "seven", "9223372036854775808", "٧"] {
            assert_eq!(read(text), None, "{text:?}");
        }
    }
}
