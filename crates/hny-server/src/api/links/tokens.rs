//! `POST /api/v1/links/{code}/tokens`

use axum::extract::State;
use hny_guard::Token;
use hny_wire::{NewToken, Problem, ProblemKind, TokenView};
use http::StatusCode;

use crate::answer::{Outcome, json};
use crate::app::App;
use crate::extract::{Json, KeyHolder, LinkPlace, invalid};
use crate::problem::Failure;
use crate::redirect::with_token;

/// Makes a URL that opens a link without its password, for a time. It is kept nowhere: the password revokes it, when that changes.
pub(crate) async fn create(
    State(app): State<App>,
    KeyHolder(caller): KeyHolder,
    LinkPlace(domain, code): LinkPlace,
    Json(new): Json<NewToken>,
) -> Outcome {
    let link = app.links.find_to_change(caller, (domain, &code)).await?;
    let expires_at = new.input().check(app.clock.now()).map_err(invalid)?;
    let Some(password) = &link.password else { return Err(no_password()) };
    let token = Token::sign(link.id, password, expires_at);
    let url = with_token(&app.domains.base_of(link.domain).short_url(&link.code), &token);
    Ok(json(StatusCode::CREATED, &TokenView { url, expires_at: expires_at.to_string() }))
}

fn no_password() -> Failure {
    let detail = "this link has no password, so its short URL opens it; set a password first";
    Failure(Problem::new(ProblemKind::NoPassword, detail))
}
