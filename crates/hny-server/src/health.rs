//! What load balancers and supervisors ask.

use axum::extract::State;
use axum::response::IntoResponse;
use http::StatusCode;
use http::header::CACHE_CONTROL;

use crate::app::App;
use crate::cache_policy::CachePolicy;

/// `GET /healthz`: the process runs and answers.
pub(crate) async fn alive() -> axum::response::Response {
    answer(StatusCode::OK, "alive\n")
}

/// `GET /readyz`: the node can serve redirects and is not stopping.
pub(crate) async fn ready(State(app): State<App>) -> axum::response::Response {
    if app.readiness.is_draining() {
        return answer(StatusCode::SERVICE_UNAVAILABLE, "draining\n");
    }
    match app.resolver.ping().await {
        Ok(()) => answer(StatusCode::OK, "ready\n"),
        Err(error) => {
            tracing::warn!(%error, "the store does not answer");
            answer(StatusCode::SERVICE_UNAVAILABLE, "the store does not answer\n")
        }
    }
}

fn answer(status: StatusCode, text: &'static str) -> axum::response::Response {
    (status, [(CACHE_CONTROL, CachePolicy::NoStore.header())], text).into_response()
}
