//! The header `If-Match` (RFC 9110, section 13.1.1): which states of a link a change is meant for.

use axum::extract::FromRequestParts;
use hny_domain::{Expected, FieldError, Version};
use http::HeaderMap;
use http::header::IF_MATCH;
use http::request::Parts as Head;

use super::invalid;
use crate::app::App;
use crate::problem::Failure;

/// What was sent in it.
pub(crate) struct IfMatch(pub(crate) Expected);

impl FromRequestParts<App> for IfMatch {
    type Rejection = Failure;

    async fn from_request_parts(head: &mut Head, _: &App) -> Result<Self, Failure> {
        expected(&head.headers).map(Self).map_err(|NoTags| bad_tags())
    }
}

/// The text is no list of tags.
#[derive(Debug, PartialEq, Eq)]
struct NoTags;

fn expected(headers: &HeaderMap) -> Result<Expected, NoTags> {
    let mut versions = Vec::new();
    for value in headers.get_all(IF_MATCH) {
        let text = value.to_str().map_err(|_| NoTags)?.trim();
        if text == "*" {
            return Ok(Expected::Any);
        }
        for tag in text.split(',') {
            versions.extend(version(tag.trim())?);
        }
    }
    Ok(if headers.contains_key(IF_MATCH) { Expected::OneOf(versions) } else { Expected::Any })
}

/// The version in a tag; `None` for a tag that is none of ours or is weak, and so matches nothing.
fn version(tag: &str) -> Result<Option<Version>, NoTags> {
    let (tag, is_weak) = tag.strip_prefix("W/").map_or((tag, false), |tag| (tag, true));
    let inner = tag.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).ok_or(NoTags)?;
    if inner.contains('"') {
        return Err(NoTags);
    }
    let number = inner.parse().ok().filter(|number: &u64| !is_weak && number.to_string() == inner);
    Ok(number.map(Version))
}

fn bad_tags() -> Failure {
    let detail = "it is '*', or ETags in double quotes as they were answered, with commas between them";
    invalid(vec![FieldError::new("If-Match", detail)])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(values: &[&'static str]) -> Result<Expected, NoTags> {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(IF_MATCH, http::HeaderValue::from_static(value));
        }
        expected(&headers)
    }

    fn one_of(versions: &[u64]) -> Expected {
        Expected::OneOf(versions.iter().copied().map(Version).collect())
    }

    #[test]
    fn versions_are_read_from_tags() {
        assert_eq!(read(&[]), Ok(Expected::Any));
        assert_eq!(read(&["*"]), Ok(Expected::Any));
        assert_eq!(read(&["\"7\""]), Ok(one_of(&[7])));
        assert_eq!(read(&["\"7\", \"8\"", "\"9\""]), Ok(one_of(&[7, 8, 9])));
    }

    #[test]
    fn weak_and_foreign_tags_match_nothing() {
        for tag in ["W/\"7\"", "\"07\"", "\"+7\"", "\"x\"", "\"\"", "\"99999999999999999999\""] {
            assert_eq!(read(&[tag]), Ok(one_of(&[])), "{tag}");
        }
    }

    #[test]
    fn what_is_no_tag_is_told() {
        for text in ["", "7", "\"7", "7\"", "\"7\" \"8\"", "\"7\",", "**"] {
            assert_eq!(read(&[text]), Err(NoTags), "{text}");
        }
    }
}
