//! Every route, on one page. What is not here and has the form of a code is a short link.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::middleware::from_fn_with_state;
use axum::response::IntoResponse;
use axum::routing::{MethodRouter, any, get, post};
use hny_wire::{Problem, ProblemKind};
use http::HeaderValue;
use http::header::{CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS};

use crate::api;
use crate::app::App;
use crate::body::for_router;
use crate::cors::cors;
use crate::metrics::Metrics;
use crate::roles::Role;
use crate::{health, pages, problem};

/// A path, the role of the nodes that answer it (`None` is every node), and what answers there by method.
type Route = (&'static str, Option<Role>, fn() -> MethodRouter<App>);

const PAGES: Option<Role> = Some(Role::Pages);
const API: Option<Role> = Some(Role::Api);
const EVERY_NODE: Option<Role> = None;

/// The table. The first segment of each path is reserved in `hny_domain::reserved`; a test holds the two together.
const ROUTES: &[Route] = &[
    // pages
    ("/", PAGES, || get(pages::home)),
    ("/robots.txt", PAGES, || get(pages::robots)),
    ("/.well-known/security.txt", PAGES, || get(pages::security)),
    ("/favicon.ico", PAGES, || get(pages::favicon)),
    ("/static/hny.css", PAGES, || get(pages::style_sheet)),
    // API
    ("/shorten", API, || post(api::shorten::shorten)),
    ("/api/shorten", API, || post(api::shorten::shorten)),
    ("/api/v1/links", API, || get(api::links::list::list).post(api::links::create::create)),
    ("/api/v1/links/bulk", API, || post(api::links::bulk::bulk)),
    ("/api/v1/links/{code}", API, || {
        get(api::links::read::read).patch(api::links::edit::edit).delete(api::links::delete::delete)
    }),
    ("/api/v1/links/{code}/tokens", API, || post(api::links::tokens::create)),
    ("/api/v1/links/{code}/stats", API, || get(api::links::stats::stats)),
    ("/api/v1/links/{code}/clicks", API, || get(api::links::clicks::clicks)),
    ("/api/v1/reports", API, || get(api::reports::list::list)),
    ("/api/v1/reports/{id}/resolve", API, || post(api::reports::resolve::resolve)),
    ("/api/v1/blocks", API, || {
        get(api::blocks::list::list).post(api::blocks::add::add).delete(api::blocks::remove::remove)
    }),
    ("/api/v1/blocks/changes", API, || get(api::blocks::changes::changes)),
    ("/api/v1/stats", API, || get(api::stats::stats)),
    ("/api/v1/keys", API, || get(api::keys::list::list).post(api::keys::create::create)),
    ("/api/v1/keys/{id}", API, || get(api::keys::read::read).delete(api::keys::revoke::revoke)),
    ("/api/v1/openapi.json", API, || get(api::contract::contract)),
    ("/api/docs", API, || get(pages::contract)),
    // health
    ("/healthz", EVERY_NODE, || get(health::alive)),
    ("/readyz", EVERY_NODE, || get(health::ready)),
];

/// Every path that is answered, `{…}` standing for what a caller puts there: for tests that must leave none out.
pub fn paths() -> impl Iterator<Item = &'static str> {
    ROUTES.iter().map(|(path, ..)| *path)
}

/// The router for everything that is no short link. Its table is made for the roles of this node, so no request asks for them.
pub(crate) fn router(app: App) -> Router {
    let mut router = Router::new();
    for (path, role, methods) in ROUTES {
        let is_ours = role.is_none_or(|role| app.roles.has(role));
        router = router.route(path, if is_ours { methods() } else { any(elsewhere) });
    }
    router = router.fallback(nothing_here).method_not_allowed_fallback(other_methods);
    if app.origins.let_in_others() {
        router = router.layer(from_fn_with_state(Arc::new(app.origins.clone()), cors));
    }
    router.with_state(app)
}

/// The router of the metrics address.
pub(crate) fn metrics_router(metrics: Metrics) -> Router {
    let render = move || {
        let text = metrics.render();
        async move {
            let kind = HeaderValue::from_static("application/openmetrics-text; version=1.0.0; charset=utf-8");
            ([(CONTENT_TYPE, kind), (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"))], text)
                .into_response()
        }
    };
    Router::new().route("/metrics", get(render))
}

/// There is no such page.
async fn nothing_here(State(app): State<App>, request: Request) -> axum::response::Response {
    for_router(problem::nothing_here(&app, problem::wants_html(request.headers())))
}

/// Another node answers this path.
async fn elsewhere(State(app): State<App>, request: Request) -> axum::response::Response {
    for_router(problem::misdirected(&app, problem::wants_html(request.headers())))
}

async fn other_methods() -> axum::response::Response {
    let detail = "this path does not answer to this method; Allow lists those it does";
    for_router(problem::document(&Problem::new(ProblemKind::MethodNotAllowed, detail)))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use hny_domain::code::is_code;
    use hny_domain::reserved::is_own;

    use super::*;

    fn first_segments() -> impl Iterator<Item = &'static str> {
        ROUTES.iter().filter_map(|(path, ..)| path.split('/').nth(1)).filter(|segment| !segment.is_empty())
    }

    #[test]
    fn no_route_can_shadow_a_code() {
        for segment in first_segments() {
            // What cannot be a code (it has a dot) needs no reservation; the front never takes it for one either.
            let safe = is_own(segment) || !is_code(segment.as_bytes());
            assert!(safe, "'{segment}' is a route and must be in the list OWN of hny_domain::reserved");
        }
        assert!(first_segments().count() > 5);
    }

    #[test]
    fn the_contract_has_every_path_but_those_of_pages() {
        let ours = ROUTES.iter().filter(|(_, role, _)| *role != PAGES).map(|(path, ..)| *path);
        let base = hny_domain::BaseUrl::parse("https://hny.example").unwrap();
        let contract = crate::contract::document(&hny_domain::Domains::one(base.into()));
        let told: BTreeSet<_> = contract.paths.paths.keys().map(String::as_str).collect();
        assert_eq!(told, ours.collect(), "left: the contract, right: the table above");
    }

    #[test]
    fn no_route_begins_with_a_parameter() {
        assert!(first_segments().all(|segment| !segment.contains('{')), "it would catch every code");
    }
}
