//! `GET /api/docs`: the contract for people, made from the document and nothing else.

mod call;
mod field;
mod prose;

use askama::Template;
use axum::extract::State;
use hny_wire::problem::KINDS;
use utoipa::openapi::{OpenApi, RefOr, Schema};

use crate::app::App;
use crate::body::for_router;
use crate::contract::document;

use call::CallView;
use field::Field;
use prose::Prose;

#[derive(Template)]
#[template(path = "contract.html")]
struct Contract<'a> {
    prefix: &'a str,
    base: &'a str,
    version: &'a str,
    about: Prose<'a>,
    groups: Vec<Group<'a>>,
    shapes: Vec<Shape<'a>>,
    problems: Vec<ProblemView>,
}

/// Calls that belong together.
struct Group<'a> {
    name: &'a str,
    about: Prose<'a>,
    calls: Vec<CallView<'a>>,
}

/// What is sent or answered.
struct Shape<'a> {
    name: &'a str,
    about: Prose<'a>,
    fields: Vec<Field<'a>>,
}

/// A kind of problem.
struct ProblemView {
    name: &'static str,
    status: u16,
    title: &'static str,
    advice: Prose<'static>,
}

/// The page.
pub(crate) async fn contract(State(app): State<App>) -> axum::response::Response {
    let document = document(&app.domains);
    for_router(super::render(&Contract::of(&document, app.base.as_str(), app.base.prefix())))
}

impl<'a> Contract<'a> {
    fn of(document: &'a OpenApi, base: &'a str, prefix: &'a str) -> Self {
        let calls: Vec<_> = document.paths.paths.iter().flat_map(|(path, item)| CallView::all_of(path, item)).collect();
        let groups = document.tags.iter().flatten().map(|tag| Group {
            name: &tag.name,
            about: Prose::of(tag.description.as_ref()),
            calls: calls.iter().filter(|call| call.group == tag.name).cloned().collect(),
        });
        let schemas = document.components.iter().flat_map(|components| &components.schemas);
        Self {
            prefix,
            base,
            version: &document.info.version,
            about: Prose::of(document.info.description.as_ref()),
            groups: groups.collect(),
            shapes: schemas.map(|(name, schema)| Shape::of(name, schema)).collect(),
            problems: problems(),
        }
    }
}

impl<'a> Shape<'a> {
    fn of(name: &'a str, schema: &'a RefOr<Schema>) -> Self {
        Self { name, about: field::about(schema), fields: field::all_of(schema) }
    }
}

fn problems() -> Vec<ProblemView> {
    let view = |kind: hny_wire::ProblemKind| ProblemView {
        name: kind.name(),
        status: kind.status(),
        title: kind.title(),
        advice: Prose(kind.advice()),
    };
    KINDS.into_iter().map(view).collect()
}
