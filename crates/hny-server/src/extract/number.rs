//! The number of an API key, or of a report, in the path of an API call. What cannot be one is a 404 without a look.

use axum::RequestPartsExt;
use axum::extract::{FromRequestParts, Path};
use hny_domain::{AbuseId, KeyId};
use hny_service::Error;
use http::request::Parts as Head;

use super::Parameters;
use crate::app::App;
use crate::problem::{Failure, of_service};

/// The number in `/api/v1/keys/{id}`.
pub(crate) struct PathKey(pub(crate) KeyId);

/// The number in `/api/v1/reports/{id}/…`.
pub(crate) struct PathReport(pub(crate) AbuseId);

impl FromRequestParts<App> for PathKey {
    type Rejection = Failure;

    async fn from_request_parts(head: &mut Head, app: &App) -> Result<Self, Failure> {
        number(head, app, &Error::KeyNotFound).await.map(|id| Self(KeyId(id)))
    }
}

impl FromRequestParts<App> for PathReport {
    type Rejection = Failure;

    async fn from_request_parts(head: &mut Head, app: &App) -> Result<Self, Failure> {
        number(head, app, &Error::ReportNotFound).await.map(|id| Self(AbuseId(id)))
    }
}

async fn number(head: &mut Head, app: &App, not_found: &Error) -> Result<i64, Failure> {
    Parameters::from_request_parts(head, app).await?.only([])?;
    let not_found = || Failure(of_service(not_found));
    let Path(text) = head.extract::<Path<String>>().await.map_err(|_| not_found())?;
    read(&text).ok_or_else(not_found)
}

/// A number as we write it: `7` is one, `07` and `+7` are not.
fn read(text: &str) -> Option<i64> {
    let number: i64 = text.parse().ok()?;
    (number.to_string() == text).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_written_in_one_way() {
        assert_eq!(read("7"), Some(7));
        assert_eq!(read("9223372036854775807"), Some(i64::MAX));
        for text in ["", "07", "+7", " 7", "7 ", "7.0", "0x7", "seven", "9223372036854775808", "٧"] {
            assert_eq!(read(text), None, "{text:?}");
        }
    }
}
