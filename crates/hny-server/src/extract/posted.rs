//! What is posted: a body, and perhaps a key by which the same may be posted again.

use axum::extract::{FromRequest, Request};
use bytes::Bytes;
use hny_domain::Caller;
use hny_guard::Client;
use hny_service::{Begun, Sender, Turn};
use hny_wire::read::{Shape, read};
use http::{Method, Uri};

use super::body::{self, MAX_BYTES};
use super::idempotency_key::idempotency_key;
use crate::answer::{Outcome, reply};
use crate::app::App;
use crate::problem::Failure;

/// A body of the given shape, of so many bytes at most.
pub(crate) struct Posted<T, const MOST: usize = MAX_BYTES> {
    /// The body.
    pub(crate) shape: T,
    once: Option<Once>,
}

/// What makes two requests the same.
struct Once {
    key: String,
    method: Method,
    path: String,
    body: Bytes,
}

impl<T: Shape, const MOST: usize> FromRequest<App> for Posted<T, MOST> {
    type Rejection = Failure;

    async fn from_request(request: Request, app: &App) -> Result<Self, Failure> {
        let (head, body) = request.into_parts();
        let key = idempotency_key(&head.headers)?;
        let body = body::bytes(&head.headers, body, MOST, app.body_timeout).await?;
        let shape = read(&body)?;
        let once = key.map(|key| Once { key, method: head.method, path: target(&head.uri), body });
        Ok(Self { shape, once })
    }
}

/// Path and query: whose domain is meant stands there.
fn target(uri: &Uri) -> String {
    uri.path_and_query().map(ToString::to_string).unwrap_or_default()
}

impl<T, const MOST: usize> Posted<T, MOST> {
    /// Does `work`, unless the same was done before: then its answer is sent again.
    pub(crate) async fn once(
        &self,
        app: &App,
        (caller, client): (Caller, Client),
        work: impl AsyncFnOnce(Option<&Turn>) -> Outcome,
    ) -> Outcome {
        let Some(Once { key, method, path, body }) = &self.once else {
            return Box::pin(work(None)).await;
        };
        let sender = caller.owner().map_or_else(|| Sender::Client(client.network()), Sender::Key);
        let sent = [method.as_str().as_bytes(), path.as_bytes(), body];
        match app.receipts.begin(hny_service::Request { sender, key, sent }).await? {
            Begun::Answered(answer) => Ok(reply(answer)),
            Begun::Turn(turn) => Box::pin(work(Some(&turn))).await,
        }
    }
}
