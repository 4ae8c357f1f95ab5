//! The client that a request is from.

use axum::extract::FromRequestParts;
use hny_guard::Client;
use hny_wire::{Problem, ProblemKind};
use http::request::Parts as Head;

use crate::app::App;
use crate::origin::{Origin, Peer};
use crate::problem::Failure;

/// The client that a request is from, as far as trusted proxies tell.
pub(crate) struct FromClient(pub(crate) Client);

impl FromRequestParts<App> for FromClient {
    type Rejection = Failure;

    async fn from_request_parts(head: &mut Head, app: &App) -> Result<Self, Failure> {
        // The front puts it there.
        let Some(Peer(peer)) = head.extensions.get() else {
            return Err(Failure(Problem::new(ProblemKind::Internal, "nobody knows where this request is from")));
        };
        Ok(Self(Origin::Read(*peer, &head.headers).client(&app.guard.proxies)))
    }
}
