//! A field of a shape, or a parameter, in words.

use utoipa::openapi::path::{Parameter, ParameterIn};
use utoipa::openapi::schema::{ArrayItems, Object, SchemaType, Type};
use utoipa::openapi::{KnownFormat, RefOr, Required, Schema, SchemaFormat};

use super::prose::Prose;

/// A field.
#[derive(Debug, Clone)]
pub(super) struct Field<'a> {
    pub(super) name: &'a str,
    /// What its value is.
    pub(super) kind: String,
    /// The shape that its value has, or each of its values.
    pub(super) shape: &'a str,
    pub(super) is_required: bool,
    pub(super) about: Prose<'a>,
}

impl<'a> Field<'a> {
    /// A parameter of a query or a field of a head; those of paths stand in the path.
    pub(super) fn of_parameter(parameter: &'a Parameter) -> Option<Self> {
        let place = match parameter.parameter_in {
            ParameterIn::Header => ", in the head",
            ParameterIn::Query => "",
            _ => return None,
        };
        let kind = parameter.schema.as_ref().map(kind).unwrap_or_default();
        Some(Self {
            name: &parameter.name,
            kind: format!("{kind}{place}"),
            shape: "",
            is_required: matches!(parameter.required, Required::True),
            about: Prose::of(parameter.description.as_ref()),
        })
    }
}

/// The fields of a shape.
pub(super) fn all_of(schema: &RefOr<Schema>) -> Vec<Field<'_>> {
    match schema {
        RefOr::T(Schema::Object(object)) => object
            .properties
            .iter()
            .map(|(name, field)| Field {
                name,
                kind: kind(field),
                shape: shape(field),
                is_required: object.required.contains(name),
                about: about(field),
            })
            .collect(),
        RefOr::T(Schema::AllOf(parts)) => parts.items.iter().flat_map(all_of).collect(),
        _ => Vec::new(),
    }
}

/// What is said of a shape or a field.
pub(super) fn about(schema: &RefOr<Schema>) -> Prose<'_> {
    match schema {
        RefOr::T(Schema::Object(object)) => Prose::of(object.description.as_ref()),
        RefOr::T(Schema::Array(array)) => Prose::of(array.description.as_ref()),
        RefOr::T(Schema::AllOf(parts)) => Prose::of(parts.description.as_ref()),
        RefOr::T(Schema::OneOf(parts)) => Prose::of(parts.description.as_ref()),
        RefOr::Ref(other) => Prose(&other.description),
        RefOr::T(_) => Prose(""),
    }
}

/// The name of the shape that a value has, or each in a list.
pub(super) fn shape(schema: &RefOr<Schema>) -> &str {
    match schema {
        RefOr::Ref(other) => other.ref_location.rsplit('/').next().unwrap_or_default(),
        RefOr::T(Schema::Array(array)) => match &array.items {
            ArrayItems::RefOrSchema(items) => shape(items),
            ArrayItems::False => "",
        },
        RefOr::T(Schema::OneOf(parts)) => {
            parts.items.iter().map(shape).find(|name| !name.is_empty()).unwrap_or_default()
        }
        RefOr::T(_) => "",
    }
}

/// What a value is, in words.
fn kind(schema: &RefOr<Schema>) -> String {
    match schema {
        RefOr::T(Schema::Object(object)) => of_object(object),
        RefOr::T(Schema::Array(array)) => match &array.items {
            ArrayItems::RefOrSchema(items) => format!("list of {}", kind(items)),
            ArrayItems::False => "empty list".to_owned(),
        },
        RefOr::T(Schema::OneOf(parts)) => parts.items.iter().map(kind).collect::<Vec<_>>().join(" or "),
        RefOr::T(_) | RefOr::Ref(_) => String::new(),
    }
}

fn of_object(object: &Object) -> String {
    if let Some(values) = &object.enum_values {
        return values.iter().map(|value| value.to_string().replace('"', "")).collect::<Vec<_>>().join(", ");
    }
    let mut kind = match &object.schema_type {
        SchemaType::Type(one) => word(one).to_owned(),
        SchemaType::Array(several) => several.iter().map(word).collect::<Vec<_>>().join(" or "),
        SchemaType::AnyValue => "anything".to_owned(),
    };
    if let Some(word) = object.format.as_ref().and_then(format_word) {
        kind = kind.replacen("text", word, 1);
    }
    match object.max_length {
        Some(most) => format!("{kind}, at most {most} characters"),
        None => kind,
    }
}

fn format_word(format: &SchemaFormat) -> Option<&'static str> {
    match format {
        SchemaFormat::KnownFormat(KnownFormat::DateTime) => Some("time"),
        SchemaFormat::KnownFormat(KnownFormat::Date) => Some("day"),
        SchemaFormat::Custom(name) if name == "uri" => Some("URL"),
        _ => None,
    }
}

const fn word(kind: &Type) -> &'static str {
    match kind {
        Type::Object => "object",
        Type::String => "text",
        Type::Integer => "whole number",
        Type::Number => "number",
        Type::Boolean => "true or false",
        Type::Array => "list",
        Type::Null => "null",
    }
}
