//! Reading JSON strictly, so that what is wrong can be named.

use std::fmt;

use hny_domain::FieldError;
use serde::de::{DeserializeOwned, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use serde_path_to_error::Segment;

/// Why a body could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReadError {
    /// Not a JSON object: why, and in which field, if it is in one.
    Malformed {
        /// Where it breaks.
        detail: String,
        /// The name of the field in which it breaks.
        field: Option<String>,
    },
    /// JSON, but fields in it are wrong.
    Fields(Vec<FieldError>),
}

/// The names of the fields that a shape does not have; it collects them by `#[serde(flatten)]`.
#[derive(Debug, Clone, Default)]
pub(crate) struct Unknown(Vec<String>);

impl Unknown {
    /// The names, in the order in which they were sent.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }
}

impl<'de> Deserialize<'de> for Unknown {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
        struct Names;

        impl<'de> Visitor<'de> for Names {
            type Value = Vec<String>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Vec<String>, A::Error> {
                let mut names = Vec::new();
                while let Some((name, IgnoredAny)) = map.next_entry()? {
                    names.push(name);
                }
                Ok(names)
            }
        }

        json.deserialize_map(Names).map(Unknown)
    }
}

/// A shape that knows which fields it did not know.
pub trait Shape: DeserializeOwned {
    /// The names of the fields that may be sent.
    const FIELDS: &'static [&'static str];

    /// The names that were sent and are not among [`Self::FIELDS`].
    fn unknown(&self) -> impl Iterator<Item = &str>;
}

/// Reads one JSON object and nothing behind it.
pub fn read<T: Shape>(bytes: &[u8]) -> Result<T, ReadError> {
    let mut json = serde_json::Deserializer::from_slice(bytes);
    let shape: T = serde_path_to_error::deserialize(&mut json).map_err(|error| read_error(&error))?;
    json.end().map_err(|error| ReadError::Malformed { detail: error.to_string(), field: None })?;
    without_unknown(shape)
}

/// Reads one object of many.
pub(crate) fn read_row<T: Shape>(row: &Value) -> Result<T, ReadError> {
    without_unknown(serde_path_to_error::deserialize(row).map_err(|error| read_error(&error))?)
}

fn without_unknown<T: Shape>(shape: T) -> Result<T, ReadError> {
    let unknown: Vec<_> = shape.unknown().map(|name| unknown_field(name, T::FIELDS)).collect();
    if unknown.is_empty() { Ok(shape) } else { Err(ReadError::Fields(unknown)) }
}

fn read_error(error: &serde_path_to_error::Error<serde_json::Error>) -> ReadError {
    let cause = error.inner();
    let (field, place) = place(error.path());
    if !cause.is_data() {
        return ReadError::Malformed { detail: cause.to_string(), field };
    }
    let detail = in_plain_words(&cause.to_string());
    match (field, given_twice(&detail)) {
        (Some(field), _) => ReadError::Fields(vec![FieldError::new(field, format!("{detail}{place}"))]),
        // At the top there is no path yet: a field stands in it twice, or the value is no object.
        (None, Some(field)) => ReadError::Fields(vec![FieldError::new(field, "it is given twice; give it once")]),
        (None, None) => {
            let detail = format!("the body must be one JSON object ({detail})");
            ReadError::Malformed { detail, field: None }
        }
    }
}

/// The field of which a detail says that it is there twice.
fn given_twice(detail: &str) -> Option<&str> {
    detail.strip_prefix("duplicate field `")?.split_once('`').map(|(field, _)| field)
}

/// The field of the body that a path leads into, and where in it, in words.
fn place(path: &serde_path_to_error::Path) -> (Option<String>, String) {
    let segments: Vec<_> = path.iter().take(3).collect();
    if let [Segment::Map { key }, Segment::Seq { index }] = segments[..] {
        return (Some(format!("{key}[{index}]")), String::new());
    }
    let field = path.iter().find_map(|segment| match segment {
        Segment::Map { key } => Some(key.clone()),
        _ => None,
    });
    let is_deeper = segments.len() > 1;
    (field, if is_deeper { format!(" (at {})", shortened(&path.to_string())) } else { String::new() })
}

/// The beginning of a path: what is nested deeply has a long one.
fn shortened(path: &str) -> String {
    match path.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", &path[..end]),
        None => path.to_owned(),
    }
}

/// Says it in words of JSON, without the parser's "at line 1 column 8": the field is named already.
fn in_plain_words(detail: &str) -> String {
    let detail = detail.split_once(" at line ").map_or(detail, |(front, _)| front);
    detail.replace("invalid type: ", "it is of the wrong type: ")
}

fn unknown_field(name: &str, known: &[&str]) -> FieldError {
    FieldError::new(name, format!("there is no such field; the fields are {}", known.join(", ")))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{LinkPatch, NewLink};

    fn fields(body: &str) -> Vec<String> {
        match read::<NewLink>(body.as_bytes()) {
            Err(ReadError::Fields(errors)) => errors.into_iter().map(|error| error.field).collect(),
            other => panic!("{body}: expected field errors, got {other:?}"),
        }
    }

    #[test]
    fn a_wrong_type_names_its_field() {
        assert_eq!(fields(r#"{"url":123}"#), ["url"]);
        assert_eq!(fields(r#"{"originalUrl":["https://example.com"]}"#), ["originalUrl"]);
        assert_eq!(fields(r#"{"originalUrl":"https://example.com","redirectStatus":"302"}"#), ["redirectStatus"]);
        assert_eq!(fields(r#"{"originalUrl":"https://example.com","active":"yes"}"#), ["active"]);
        assert_eq!(fields(r#"{"originalUrl":"https://example.com","redirectStatus":1e99}"#), ["redirectStatus"]);
    }

    #[test]
    fn an_unknown_field_is_named_and_so_is_every_other() {
        assert_eq!(fields(r#"{"originalUrl":"https://example.com","foo":1,"bar":{"x":[]}}"#), ["foo", "bar"]);
    }

    #[test]
    fn a_field_given_twice_is_named() {
        assert_eq!(fields(r#"{"originalUrl":"https://a.example","originalUrl":"https://b.example"}"#), ["originalUrl"]);
        assert_eq!(fields(r#"{"url":"https://a.example","originalUrl":"https://b.example"}"#), ["originalUrl"]);
    }

    #[test]
    fn what_is_no_json_object_is_malformed() {
        let deep = "[".repeat(10_000);
        let bodies: [&[u8]; 10] = [
            b"",
            b"{",
            b"[]",
            b"\"x\"",
            b"null",
            b"{}{}",
            b"{\"url\":\"\xff\"}",
            b"\xff\xfe{\x00}\x00",
            br#"{"url":"\ud800"}"#,
            deep.as_bytes(),
        ];
        for body in bodies {
            let error = read::<NewLink>(body).err();
            assert!(matches!(error, Some(ReadError::Malformed { .. } | ReadError::Fields(_))), "{body:?} {error:?}");
        }
    }

    #[test]
    fn what_breaks_within_a_field_names_it() {
        let deep = format!("{{\"x\":{}", "[".repeat(10_000));
        for (body, name) in [(r#"{"title":"\ud800"}"#, "title"), ("{\"url\":\"a\nb\"}", "url"), (&deep, "x")] {
            let error = read::<NewLink>(body.as_bytes()).err();
            let Some(ReadError::Malformed { field, detail }) = error else { panic!("{error:?}") };
            assert_eq!((field.as_deref(), detail.len() < 200), (Some(name), true), "{detail}");
        }
    }

    proptest! {
        #[test]
        fn no_bytes_panic(bytes in proptest::collection::vec(any::<u8>(), 0..80)) {
            let _ = read::<NewLink>(&bytes);
            let _ = read::<LinkPatch>(&bytes);
        }
    }
}
