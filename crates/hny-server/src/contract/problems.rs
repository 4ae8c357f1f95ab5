//! The problems that a call can answer.

use hny_wire::ProblemKind;
use serde_json::json;
use utoipa::openapi::content::ContentBuilder;
use utoipa::openapi::schema::{AllOfBuilder, Object, ObjectBuilder, Schema, Type};
use utoipa::openapi::{Ref, Response, ResponseBuilder, extensions::ExtensionsBuilder};

use super::answers::header;

/// What can be wrong with every body.
pub(super) const OF_BODIES: [ProblemKind; 5] = [
    ProblemKind::InvalidField,
    ProblemKind::MalformedBody,
    ProblemKind::BodyTimeout,
    ProblemKind::BodyTooLarge,
    ProblemKind::UnsupportedMediaType,
];

/// Where an answer lists the names of its problems.
const NAMES: &str = "x-problems";

/// The answers by their status.
pub(super) fn responses(kinds: &[ProblemKind]) -> Vec<(u16, Response)> {
    let mut kinds = kinds.to_vec();
    kinds.sort_unstable_by_key(|kind| (kind.status(), kind.name()));
    kinds.dedup();
    kinds
        .chunk_by(|one, other| one.status() == other.status())
        .map(|kinds| (kinds[0].status(), response(kinds)))
        .collect()
}

/// An answer that is one of these problems.
fn response(kinds: &[ProblemKind]) -> Response {
    let names: Vec<_> = kinds.iter().map(|kind| kind.name()).collect();
    let titles: Vec<_> = kinds.iter().map(|kind| kind.title()).collect();
    let uris = kinds.iter().map(|kind| json!(kind.uri()));
    let mut uri = Object::with_type(Type::String);
    uri.enum_values = Some(uris.collect());
    let schema = AllOfBuilder::new()
        .item(Ref::from_schema_name("Problem"))
        .item(ObjectBuilder::new().property("type", uri).build())
        .build();
    let schema = Schema::AllOf(schema);
    let extensions = ExtensionsBuilder::new().add(NAMES, json!(names)).build();
    let mut response = ResponseBuilder::new()
        .description(titles.join("; or: "))
        .content("application/problem+json", ContentBuilder::new().schema(Some(schema)).build())
        .extensions(Some(extensions));
    for name in headers(kinds[0].status()) {
        response = response.header(*name, header(name));
    }
    response.build()
}

/// What is in the head of every problem with this status.
fn headers(status: u16) -> &'static [&'static str] {
    match status {
        401 => &["WWW-Authenticate"],
        429 | 503 => &["Retry-After"],
        _ => &[],
    }
}

/// The names of the problems in an answer.
pub(crate) fn kinds_of(response: &Response) -> Vec<&str> {
    let names = response.extensions.as_ref().and_then(|extensions| extensions.get(NAMES));
    names.and_then(|names| names.as_array()).into_iter().flatten().filter_map(|name| name.as_str()).collect()
}
