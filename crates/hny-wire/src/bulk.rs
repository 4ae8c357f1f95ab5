//! What is sent to make or delete many links at once.
//!
//! Each row is read by itself, so that a bad one is told as such and the others are done.

use std::fmt;

use hny_domain::FieldError;
use serde::de::{IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::read::{ReadError, Shape, Unknown, read_row};
use crate::{LinkView, NewLink, Problem};

/// How many rows there may be.
pub const MOST_ROWS: usize = 1_000;

/// Either new links, or codes of links to be deleted.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", expecting = "an object")]
pub struct Bulk {
    /// New links.
    #[schema(value_type = Option<Vec<NewLink>>, max_items = 1000)]
    pub create: Option<Vec<Row>>,
    /// Codes of links that shall go.
    #[schema(value_type = Option<Vec<String>>, max_items = 1000)]
    pub delete: Option<Vec<Row>>,
    #[serde(flatten)]
    #[schema(ignore)]
    unknown: Unknown,
}

/// What is wanted.
#[derive(Debug, Clone, Copy)]
pub enum Verb<'a> {
    /// Links shall be made.
    Create(&'a [Row]),
    /// Links shall go.
    Delete(&'a [Row]),
}

/// One of many, as it was sent.
#[derive(Debug, Clone)]
pub struct Row(Sent);

#[derive(Debug, Clone)]
enum Sent {
    Object(Value),
    Text(String),
    Twice(String),
    Other,
}

/// What became of all rows, in their order.
#[derive(Debug, Serialize, ToSchema)]
pub struct BulkView {
    /// Each by itself.
    pub results: Vec<RowView>,
}

/// What became of a row.
#[derive(Debug, Serialize, ToSchema)]
pub struct RowView {
    /// An HTTP status.
    pub status: u16,
    /// The link that was made, or was there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link: Option<LinkView>,
    /// Why it was not done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<Problem>,
}

impl Bulk {
    /// What is wanted, if it is one thing and not too much.
    pub fn verb(&self) -> Result<Verb<'_>, Vec<FieldError>> {
        let (field, rows, verb): (_, &[Row], fn(_) -> _) = match (&self.create, &self.delete) {
            (Some(rows), None) => ("create", rows, Verb::Create),
            (None, Some(rows)) => ("delete", rows, Verb::Delete),
            (None, None) => {
                return Err(vec![FieldError::new("create", "a list of new links is required, or 'delete' with codes")]);
            }
            (Some(_), Some(_)) => {
                return Err(vec![FieldError::new("delete", "it cannot go with 'create'; send two requests")]);
            }
        };
        if rows.len() > MOST_ROWS {
            let detail = format_args!("there may be {MOST_ROWS} rows; these are {}", rows.len());
            return Err(vec![FieldError::new(field, detail)]);
        }
        Ok(verb(rows))
    }
}

impl Row {
    /// The row as a shape, strictly as [`crate::read()`] reads a body.
    pub fn read<T: Shape>(&self) -> Result<T, ReadError> {
        match &self.0 {
            Sent::Object(object) => read_row(object),
            Sent::Twice(field) => {
                Err(ReadError::Fields(vec![FieldError::new(field, "it is given twice; give it once")]))
            }
            Sent::Text(_) | Sent::Other => Err(malformed("a row must be one JSON object")),
        }
    }

    /// The text that the row is.
    pub fn text(&self) -> Result<&str, ReadError> {
        match &self.0 {
            Sent::Text(text) => Ok(text),
            _ => Err(malformed("a row must be the code of a link, as a text")),
        }
    }
}

fn malformed(detail: &str) -> ReadError {
    ReadError::Malformed { detail: detail.to_owned(), field: None }
}

impl Shape for Bulk {
    const FIELDS: &'static [&'static str] = &["create", "delete"];

    fn unknown(&self) -> impl Iterator<Item = &str> {
        self.unknown.names()
    }
}

impl<'de> Deserialize<'de> for Row {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
        json.deserialize_any(AnyRow).map(Self)
    }
}

/// Takes whatever is JSON.
struct AnyRow;

impl<'de> Visitor<'de> for AnyRow {
    type Value = Sent;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a row")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Sent, A::Error> {
        let (mut object, mut twice) = (Map::new(), None);
        while let Some((name, value)) = map.next_entry::<String, Value>()? {
            if object.contains_key(&name) {
                twice = Some(name);
            } else {
                object.insert(name, value);
            }
        }
        Ok(twice.map_or(Sent::Object(Value::Object(object)), Sent::Twice))
    }

    fn visit_str<E>(self, text: &str) -> Result<Sent, E> {
        Ok(Sent::Text(text.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Sent, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Sent::Other)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Sent, E> {
        Ok(Sent::Other)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Sent, E> {
        Ok(Sent::Other)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Sent, E> {
        Ok(Sent::Other)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Sent, E> {
        Ok(Sent::Other)
    }

    fn visit_unit<E>(self) -> Result<Sent, E> {
        Ok(Sent::Other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read;

    fn rows(json: &str) -> Vec<Row> {
        read::<Bulk>(json.as_bytes()).unwrap().create.unwrap()
    }

    fn fields(bulk: &str) -> Vec<String> {
        let errors = read::<Bulk>(bulk.as_bytes()).unwrap().verb().err().unwrap_or_default();
        errors.into_iter().map(|error| error.field).collect()
    }

    #[test]
    fn a_bad_row_spoils_no_other() {
        let rows = rows(
            r#"{"create":[{"url":"https://a.example","tags":["x"]},{"url":1},{"url":"a","url":"b"},{"x":1},"y",7,-1,1e99,null,[[{}]],true,
                {"originalUrl":"https://b.example","note":null}]}"#,
        );
        let read: Vec<_> = rows.iter().map(Row::read::<NewLink>).collect();
        assert_eq!(read[0].as_ref().unwrap().original_url.as_deref(), Some("https://a.example"));
        assert_eq!(read[11].as_ref().unwrap().original_url.as_deref(), Some("https://b.example"));
        for (row, field) in [(1, "url"), (2, "url"), (3, "x")] {
            let Err(ReadError::Fields(errors)) = &read[row] else { panic!("{:?}", read[row]) };
            assert_eq!(errors[0].field, field);
        }
        assert!(read[4..11].iter().all(|row| matches!(row, Err(ReadError::Malformed { .. }))));
        let is_text: Vec<_> = rows.iter().map(|row| row.text().is_ok()).collect();
        assert_eq!(is_text.iter().position(|is_text| *is_text), Some(4));
        assert_eq!(is_text.iter().filter(|is_text| **is_text).count(), 1);
    }

    #[test]
    fn one_thing_is_wanted_and_not_too_much_of_it() {
        assert_eq!(fields("{}"), ["create"]);
        assert_eq!(fields(r#"{"create":null,"delete":null}"#), ["create"]);
        assert_eq!(fields(r#"{"create":[],"delete":[]}"#), ["delete"]);
        assert!(fields(r#"{"create":[]}"#).is_empty());
        let many = |count: usize| format!(r#"{{"delete":[{}]}}"#, vec!["1"; count].join(","));
        assert_eq!(fields(&many(1_001)), ["delete"]);
        assert!(fields(&many(1_000)).is_empty());
    }
}
