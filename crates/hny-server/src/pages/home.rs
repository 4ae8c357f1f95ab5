//! `GET /`: what this is, for whoever finds the bare domain.

use askama::Template;
use axum::extract::State;

use crate::app::App;
use crate::body::for_router;

#[derive(Template)]
#[template(path = "home.html")]
struct Home<'a> {
    base: &'a str,
    prefix: &'a str,
}

/// `GET /`
pub(crate) async fn home(State(app): State<App>) -> axum::response::Response {
    for_router(super::render(&Home { base: app.base.as_str(), prefix: app.base.prefix() }))
}
