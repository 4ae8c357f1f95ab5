//! The body of an API call: JSON, of bounded size, in bounded time.

use std::time::Duration;

use axum::body::Body;
use axum::extract::{FromRequest, Request};
use bytes::Bytes;
use hny_wire::read::{Shape, read};
use hny_wire::{Problem, ProblemKind};
use http::HeaderMap;
use http::header::CONTENT_TYPE;
use http_body::Body as _;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use tokio::time::timeout;

use crate::app::App;
use crate::problem::Failure;

/// The largest body, in bytes.
pub(super) const MAX_BYTES: usize = 64 * 1024;

/// A body of the given shape.
pub(crate) struct Json<T>(pub(crate) T);

impl<T: Shape> FromRequest<App> for Json<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, app: &App) -> Result<Self, Failure> {
        let (head, body) = request.into_parts();
        let bytes = bytes(&head.headers, body, MAX_BYTES, app.body_timeout).await?;
        Ok(Self(read(&bytes)?))
    }
}

/// A body that says it is JSON: so many bytes at most, in so much time.
pub(super) async fn bytes(headers: &HeaderMap, body: Body, most: usize, within: Duration) -> Result<Bytes, Failure> {
    check_media_type(headers)?;
    collect(body, most, within).await
}

/// JSON in UTF-8, under any of its names. (A form of a foreign page cannot send these types without being asked for leave.)
fn check_media_type(headers: &HeaderMap) -> Result<(), Failure> {
    let text = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default().to_ascii_lowercase();
    let (kind, parameters) = text.split_once(';').unwrap_or((&text, ""));
    let is_json = matches!(kind.trim(), "application/json" | "application/merge-patch+json");
    let charset = parameters.split(';').find_map(|parameter| parameter.trim().strip_prefix("charset="));
    let is_utf8 = charset.is_none_or(|charset| charset.trim_matches('"') == "utf-8");
    if is_json && is_utf8 {
        return Ok(());
    }
    let detail = "send JSON in UTF-8, with 'Content-Type: application/json'";
    Err(Failure(Problem::new(ProblemKind::UnsupportedMediaType, detail)))
}

/// A whole body, of so many bytes at most, in so much time.
pub(super) async fn collect(body: Body, most: usize, within: Duration) -> Result<Bytes, Failure> {
    // A length that is announced need not be read first.
    if body.size_hint().lower() > most as u64 {
        return Err(too_large(most));
    }
    let collected = timeout(within, Limited::new(body, most).collect()).await.map_err(|_| too_slow())?;
    match collected {
        Ok(collected) => Ok(collected.to_bytes()),
        Err(error) if error.is::<LengthLimitError>() => Err(too_large(most)),
        Err(_) => Err(Failure(Problem::new(ProblemKind::MalformedBody, "the body broke off"))),
    }
}

fn too_large(most: usize) -> Failure {
    Failure(Problem::new(ProblemKind::BodyTooLarge, format!("a body has at most {most} bytes here")))
}

fn too_slow() -> Failure {
    Failure(Problem::new(ProblemKind::BodyTimeout, "the body had not arrived in time; send it again"))
}
