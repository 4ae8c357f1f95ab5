//! Answers, and their shapes.

use hny_wire::{Problem, facets};
use utoipa::ToSchema;
use utoipa::openapi::content::ContentBuilder;
use utoipa::openapi::header::HeaderBuilder;
use utoipa::openapi::schema::{Object, Schema, Type};
use utoipa::openapi::{Ref, RefOr, Response, ResponseBuilder};

/// Schemas by their names.
pub(super) type Schemas = Vec<(String, RefOr<Schema>)>;

/// What every document has.
pub(super) fn always() -> Schemas {
    shapes::<Problem>()
}

/// An answer in JSON, and the shapes in it.
pub(super) fn of<T: ToSchema>(about: &str, headers: &[&str]) -> (Schemas, Response) {
    let schema = Ref::from_schema_name(T::name());
    let mut response = ResponseBuilder::new().description(about);
    response = response.content("application/json", ContentBuilder::new().schema(Some(schema)).build());
    for name in headers {
        response = response.header(*name, header(name));
    }
    (shapes::<T>(), response.build())
}

/// The answer to what is done and has nothing to say.
pub(super) fn nothing() -> Response {
    ResponseBuilder::new().description("It is done.").build()
}

/// An answer that is no JSON.
pub(super) fn text(about: &str, media_types: &[&str]) -> Response {
    let text = || ContentBuilder::new().schema(Some(Object::with_type(Type::String))).build();
    let response = ResponseBuilder::new().description(about);
    media_types.iter().fold(response, |response, media_type| response.content(*media_type, text())).build()
}

/// A field of the head.
pub(super) fn header(name: &str) -> utoipa::openapi::header::Header {
    let (about, kind) = match name {
        "Location" => ("Where it is.", Type::String),
        "ETag" => ("The version of it; send it back as `If-Match` to change only this one.", Type::String),
        "Retry-After" => ("In how many seconds it is worth another try.", Type::Integer),
        "WWW-Authenticate" => ("How to send a key.", Type::String),
        _ => ("", Type::String),
    };
    HeaderBuilder::new().schema(Some(Object::with_type(kind))).description(Some(about)).build()
}

/// A shape and those in it.
fn shapes<T: ToSchema>() -> Schemas {
    let mut schemas = vec![(T::name().into_owned(), T::schema())];
    T::schemas(&mut schemas);
    for (_, schema) in &mut schemas {
        say_what_is_there(schema);
    }
    schemas
}

/// What may be `null` is always there: unset is `null`, not absent.
fn say_what_is_there(schema: &mut RefOr<Schema>) {
    match schema {
        RefOr::T(Schema::Object(object)) => {
            let is_there =
                |field: &RefOr<Schema>| matches!(field, RefOr::T(Schema::Object(field)) if facets::may_be_null(field));
            let names =
                object.properties.iter().filter(|(name, field)| is_there(field) && !object.required.contains(name));
            let names: Vec<_> = names.map(|(name, _)| name.clone()).collect();
            object.required.extend(names);
        }
        RefOr::T(Schema::AllOf(parts)) => parts.items.iter_mut().for_each(say_what_is_there),
        _ => {}
    }
}
