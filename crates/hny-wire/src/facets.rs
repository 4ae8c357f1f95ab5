//! What the values of fields may be, as the contract tells it: one table, because a field of one name means the same in every
//! shape. The limits are those that `hny-domain` checks by.

use hny_domain::access::key_input;
use hny_domain::{LinkState, RedirectStatus, Role, VisitKind, code, note, password, tag, target, title, token_life};
use serde_json::{Value, json};
use utoipa::openapi::schema::{Array, ArrayItems, Object, Schema, SchemaFormat, SchemaType, Type};
use utoipa::openapi::{KnownFormat, RefOr};

/// The pattern of something other than blanks, without a control character.
pub const PRINTED: &str =
    "^[^\\u0000-\\u001f\\u007f-\\u009f]*[^\\s\\u0000-\\u001f\\u007f-\\u009f][^\\u0000-\\u001f\\u007f-\\u009f]*$";

/// Says of every field in a schema what its value may be.
pub fn put(schema: &mut RefOr<Schema>) {
    match schema {
        RefOr::T(Schema::Object(object)) => {
            for (name, field) in &mut object.properties {
                match field {
                    RefOr::T(Schema::Object(field)) => put_on_field(name, field),
                    RefOr::T(Schema::Array(list)) if name == "tags" => put_on_tags(list),
                    _ => {}
                }
                put(field);
            }
        }
        RefOr::T(Schema::Array(array)) => {
            if let ArrayItems::RefOrSchema(items) = &mut array.items {
                put(items);
            }
        }
        RefOr::T(Schema::AllOf(parts)) => parts.items.iter_mut().for_each(put),
        _ => {}
    }
}

fn put_on_field(name: &str, field: &mut Object) {
    match name {
        "originalUrl" => {
            url(field, "https://example.com/a/long/page?with=query");
            field.max_length = Some(target::MAX_LENGTH);
        }
        "shortUrl" => url(field, "https://hny.example/aB3x9zQ"),
        "shortCode" | "customCode" => {
            (field.min_length, field.max_length) = (Some(1), Some(code::MAX_LENGTH));
            field.pattern = Some(code::PATTERN.to_owned());
            field.examples = vec![json!("aB3x9zQ")];
        }
        "maxClicks" => {
            (field.minimum, field.maximum) = (Some(1.into()), Some(u32::MAX.into()));
        }
        "expiresIn" => {
            (field.minimum, field.maximum) = (Some(1.into()), Some(token_life::LONGEST.as_secs().into()));
        }
        "expiredUrl" => {
            url(field, "https://example.com/too-late");
            field.max_length = Some(target::MAX_LENGTH);
        }
        "password" => {
            (field.min_length, field.max_length) = (Some(1), Some(password::MAX_LENGTH));
            field.pattern = Some("^[^\\u0000]*$".to_owned());
        }
        "note" => {
            field.max_length = Some(note::MAX_LENGTH);
            field.pattern = Some("^[^\\u0000]*$".to_owned());
        }
        "name" => {
            (field.min_length, field.max_length) = (Some(1), Some(key_input::MAX_NAME_LENGTH));
            field.pattern = Some(PRINTED.to_owned());
        }
        "rule" => {
            field.min_length = Some(1);
            field.examples = vec![json!("evil.example")];
        }
        "role" => one_of(field, Role::ALL.map(|role| json!(role.as_str()))),
        "title" => {
            field.max_length = Some(title::MAX_LENGTH);
            field.pattern = Some("^[^\\u0000]*$".to_owned());
        }
        "redirectStatus" => one_of(field, RedirectStatus::ALL.map(|status| json!(status.as_u16()))),
        "state" => one_of(field, LinkState::ALL.map(|state| json!(state.as_str()))),
        "kind" => one_of(field, VisitKind::ALL.map(|kind| json!(kind.name()))),
        "visitor" => field.pattern = Some("^[0-9a-f]{16}$".to_owned()),
        _ if is_time(name) => time(field),
        _ => {}
    }
}

fn put_on_tags(list: &mut Array) {
    list.max_items = Some(tag::MOST);
    if let ArrayItems::RefOrSchema(items) = &mut list.items
        && let RefOr::T(Schema::Object(item)) = &mut **items
    {
        (item.min_length, item.max_length) = (Some(1), Some(tag::MAX_LENGTH));
        item.pattern = Some(PRINTED.to_owned());
    }
}

/// Whether a field of this name is a moment.
fn is_time(name: &str) -> bool {
    name.ends_with("At") || matches!(name, "validFrom" | "time" | "start")
}

fn time(field: &mut Object) {
    field.format = Some(SchemaFormat::KnownFormat(KnownFormat::DateTime));
    field.examples = vec![json!("2099-01-01T12:00:00.000Z")];
}

fn url(field: &mut Object, example: &str) {
    field.format = Some(SchemaFormat::Custom("uri".to_owned()));
    field.examples = vec![json!(example)];
}

/// The field is one of these, or `null` where it may be.
pub fn one_of(field: &mut Object, values: impl IntoIterator<Item = Value>) {
    let null = may_be_null(field).then_some(Value::Null);
    field.enum_values = Some(values.into_iter().chain(null).collect());
}

/// Whether `null` is among the types of a field.
pub fn may_be_null(field: &Object) -> bool {
    matches!(&field.schema_type, SchemaType::Array(types) if types.contains(&Type::Null))
}
