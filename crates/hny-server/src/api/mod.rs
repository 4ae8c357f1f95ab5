//! The API: a folder per noun, a file per verb.

mod answer;
pub(crate) mod blocks;
pub(crate) mod contract;
mod create_limit;
pub(crate) mod keys;
pub(crate) mod links;
mod making;
mod password;
pub(crate) mod reports;
pub(crate) mod shorten;
pub(crate) mod stats;

use axum::response::IntoResponse;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS};
use http::{HeaderValue, StatusCode};
use serde_json::to_vec;

use crate::cache_policy::CachePolicy;
use crate::problem::Failure;

pub(crate) use answer::reply;

/// What a handler returns.
pub(crate) type Outcome = Result<axum::response::Response, Failure>;

/// An answer in JSON.
fn json(status: StatusCode, value: &impl serde::Serialize) -> axum::response::Response {
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static("application/json")),
        (CACHE_CONTROL, CachePolicy::NoStore.header()),
        (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    ];
    // Strings, numbers and lists of them: there is nothing in our shapes that could fail to become JSON.
    (status, headers, to_vec(value).unwrap_or_default()).into_response()
}

/// The answer to what is done and has nothing to say: 204.
fn nothing() -> axum::response::Response {
    (StatusCode::NO_CONTENT, [(CACHE_CONTROL, CachePolicy::NoStore.header())]).into_response()
}
