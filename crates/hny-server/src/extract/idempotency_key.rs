//! The header `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header): a name for a request that may be sent again.

use hny_domain::FieldError;
use http::HeaderMap;

use super::invalid;
use crate::problem::Failure;

/// The header.
pub(crate) const IDEMPOTENCY_KEY: &str = "idempotency-key";

/// Characters that a key may have at most.
pub(crate) const MOST_OF_A_KEY: usize = 255;

/// The key that was sent, if one was: bare, as most clients do, or in quotes, as the draft wants it (a string of RFC 9651). Both
/// are the same key.
pub(super) fn idempotency_key(headers: &HeaderMap) -> Result<Option<String>, Failure> {
    let mut values = headers.get_all(IDEMPOTENCY_KEY).iter();
    match (values.next(), values.next()) {
        (None, _) => Ok(None),
        (Some(value), None) => value.to_str().ok().and_then(key).map(Some).ok_or_else(bad_key),
        _ => Err(bad_key()),
    }
}

fn key(text: &str) -> Option<String> {
    let key = match text.strip_prefix('"') {
        Some(rest) => unquoted(rest.strip_suffix('"')?)?,
        None => text.to_owned(),
    };
    let is_printable = key.bytes().all(|byte| matches!(byte, b' '..=b'~'));
    (is_printable && (1..=MOST_OF_A_KEY).contains(&key.len())).then_some(key)
}

/// What stands between quotes, where a backslash is before each quote and backslash, and before nothing else.
fn unquoted(text: &str) -> Option<String> {
    let mut key = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(character) = rest.next() {
        key.push(match character {
            '"' => return None,
            '\\' => rest.next().filter(|escaped| matches!(escaped, '"' | '\\'))?,
            other => other,
        });
    }
    Some(key)
}

fn bad_key() -> Failure {
    let detail = format!("it is 1 to {MOST_OF_A_KEY} printable ASCII characters, bare or in double quotes, sent once");
    invalid(vec![FieldError::new("Idempotency-Key", detail)])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_key_is_the_same_bare_and_in_quotes() {
        for (text, inner) in [
            ("8e03978e-40d5-43e8-bc93-6894a57f9324", "8e03978e-40d5-43e8-bc93-6894a57f9324"),
            ("\"8e03978e\"", "8e03978e"),
            (r#""a\"b\\c""#, r#"a"b\c"#),
            (r"a\b", r"a\b"),
            ("a b", "a b"),
        ] {
            assert_eq!(key(text).as_deref(), Some(inner), "{text}");
        }
    }

    #[test]
    fn what_is_no_key_is_refused() {
        let long = "a".repeat(256);
        for text in ["", "\"", "\"\"", "\"a", r#""a\""#, r#""a\b""#, "\"a\"b\"", "\"a\";b=1", "a\u{7f}", "ä", &long] {
            assert_eq!(key(text), None, "{text}");
        }
        assert!(key(&long[1..]).is_some());
    }

    proptest! {
        #[test]
        fn every_printable_key_can_be_quoted(inner in "[ -~]{1,255}") {
            let quoted = format!("\"{}\"", inner.replace('\\', r"\\").replace('"', r#"\""#));
            prop_assert_eq!(key(&quoted), Some(inner));
        }
    }
}
