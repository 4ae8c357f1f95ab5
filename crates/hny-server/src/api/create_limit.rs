//! How many links a client without a key may make, and how it is told.
//!
//! What counts is a create that could have been made: a link that was, and a code that turned out to be taken, because to ask for one
//! code after the other is to look for links; and a target that turned out to be suspected, because a provider was asked about it. A
//! body that is wrong does not count: nobody shall wait for having mistyped. Nor does a create that fails on our side.

use std::time::Duration;

use axum::response::IntoResponse;
use hny_domain::Caller;
use hny_guard::{Client, Limit, TooMany};
use hny_service::Error;
use hny_wire::{Problem, ProblemKind};
use http::header::RETRY_AFTER;
use http::{HeaderMap, HeaderName, HeaderValue};

use crate::answer::Outcome;
use crate::app::App;
use crate::body::for_router;
use crate::problem::{self, Failure, whole_seconds};

/// The fields of draft-ietf-httpapi-ratelimit-headers (revision 10), and the name of our policy in them.
const POLICY_FIELD: HeaderName = HeaderName::from_static("ratelimit-policy");
const LIMIT_FIELD: HeaderName = HeaderName::from_static("ratelimit");
const POLICY: &str = "creates";

/// Has a link made, if the client may have one more.
pub(super) async fn within_limit(
    app: &App,
    (caller, client): (Caller, Client),
    making: impl Future<Output = Result<axum::response::Response, Error>>,
) -> Outcome {
    let Some(creates) = app.guard.creates.as_ref().filter(|_| caller == Caller::Anonymous) else {
        return Ok(making.await?);
    };
    let place = match creates.take(client, app.clock.monotonic()).await {
        Ok(place) => place,
        Err(refused) => {
            app.metrics.create_refused();
            return Ok(too_many(creates.limit(), refused));
        }
    };
    let made = making.await;
    if made.as_ref().is_err_and(is_ours) {
        creates.give_back(client, place, app.clock.monotonic()).await;
        return made.map_err(Failure::from);
    }
    let mut response = made.map_err(Failure::from).into_response();
    put_fields(response.headers_mut(), creates.limit(), place.remaining, creates.limit().window);
    Ok(response)
}

/// Whether a create failed by no fault of the caller.
fn is_ours(error: &Error) -> bool {
    !matches!(error, Error::CodeTaken | Error::Lookalike | Error::Suspected(_))
}

fn too_many(limit: Limit, TooMany { retry_after }: TooMany) -> axum::response::Response {
    let (count, window, seconds) = (limit.count, limit.window.as_secs(), whole_seconds(retry_after));
    let detail = format!(
        "without an API key a client may make {count} links in {window} seconds; the next is possible in {seconds} seconds"
    );
    let mut response = problem::document(&Problem::new(ProblemKind::TooManyRequests, detail));
    response.headers_mut().insert(RETRY_AFTER, seconds.into());
    put_fields(response.headers_mut(), limit, 0, retry_after);
    for_router(response)
}

/// Says what the limit is, how many are left, and in how many seconds it will be more.
fn put_fields(headers: &mut HeaderMap, limit: Limit, remaining: u32, reset: Duration) {
    let policy = format!("\"{POLICY}\";q={};w={}", limit.count, limit.window.as_secs());
    let left = format!("\"{POLICY}\";r={remaining};t={}", whole_seconds(reset));
    for (name, text) in [(POLICY_FIELD, policy), (LIMIT_FIELD, left)] {
        // Letters, digits and signs are a header value.
        if let Ok(value) = HeaderValue::try_from(text) {
            headers.insert(name, value);
        }
    }
}
