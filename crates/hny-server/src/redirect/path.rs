//! Is the path a code?

use std::borrow::Cow;

use hny_domain::code::is_code;

/// What a path says, if its first segment has the form of a code: `/abc`, `/abc/` or `/abc/and/more`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Named<'a> {
    /// The code. Percent-encoded unreserved characters are the characters themselves (RFC 3986, section 2.3), so `/%61bc` is
    /// `/abc`; nothing else is decoded, so `/%2F` never becomes a slash.
    pub(crate) code: Cow<'a, str>,
    /// What stands behind it and a slash, byte for byte, if anything does.
    pub(crate) rest: Option<&'a str>,
}

/// The code in a path, and what stands behind it.
pub(crate) fn named(path: &str) -> Option<Named<'_>> {
    let path = path.strip_prefix('/')?;
    // Nearly every path is a code and nothing else.
    let segment = path.strip_suffix('/').unwrap_or(path);
    if is_code(segment.as_bytes()) {
        return Some(Named { code: Cow::Borrowed(segment), rest: None });
    }
    let (segment, rest) = path.split_once('/').map_or((path, None), |(segment, rest)| (segment, Some(rest)));
    let rest = rest.filter(|rest| !rest.is_empty());
    if is_code(segment.as_bytes()) {
        return Some(Named { code: Cow::Borrowed(segment), rest });
    }
    let decoded = segment.contains('%').then(|| decode_unreserved(segment))??;
    is_code(decoded.as_bytes()).then_some(Named { code: Cow::Owned(decoded), rest })
}

/// The code in the path of a preview: `/abc+`, whose plus sign some programs escape.
pub(crate) fn previewed(path: &str) -> Option<Cow<'_, str>> {
    let path = path.strip_suffix('/').unwrap_or(path);
    let path = ["+", "%2B", "%2b"].into_iter().find_map(|plus| path.strip_suffix(plus))?;
    named(path).filter(|named| named.rest.is_none() && !path.ends_with('/')).map(|named| named.code)
}

/// Decodes percent escapes; `None` when one of them is broken or of a character that no code has.
fn decode_unreserved(segment: &str) -> Option<String> {
    let mut decoded = String::with_capacity(segment.len());
    let mut rest = segment;
    while let Some((front, escape)) = rest.split_once('%') {
        decoded.push_str(front);
        let digits = escape.get(..2).filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()))?;
        let byte = u8::from_str_radix(digits, 16).ok().filter(u8::is_ascii)?;
        decoded.push(char::from(byte));
        rest = &escape[2..];
    }
    decoded.push_str(rest);
    Some(decoded)
}

/// The path without the base URL's prefix, where it has it: a proxy may have cut it off or not. At the prefix itself that is `/`.
pub(crate) fn without_prefix<'a>(path: &'a str, prefix: &str) -> &'a str {
    match path.strip_prefix(prefix) {
        Some("") if !prefix.is_empty() => "/",
        Some(rest) if rest.starts_with('/') => rest,
        _ => path,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn code(path: &str) -> Option<Cow<'_, str>> {
        named(path).map(|named| named.code)
    }

    fn rest(path: &str) -> Option<&str> {
        named(path)?.rest
    }

    #[test]
    fn what_is_a_code() {
        for (path, expected) in [
            ("/abc", Some("abc")),
            ("/abc/", Some("abc")),
            ("/%61bc", Some("abc")),
            ("/a%62%63/", Some("abc")),
            ("/a%2db%5f%2D", Some("a-b_-")),
            ("/", None),
            ("//", None),
            ("//abc", None),
            ("/abc//", Some("abc")),
            ("/abc/def", Some("abc")),
            ("/%61bc/def", Some("abc")),
            ("/abc./def", None),
            ("/abc.", None),
            ("/abc+", None),
            ("/abc%2F", None),
            ("/%2Fabc", None),
            ("/%2561bc", None),
            ("/abc%", None),
            ("/abc%6", None),
            ("/abc%+6", None),
            ("/abc%zz", None),
            ("/%C3%A4", None),
            ("/abc%00", None),
            ("/\\evil.example/", None),
            ("//evil.example/", None),
            ("/%2F%2Fevil.example/", None),
            ("/favicon.ico", None),
            ("*", None),
            ("", None),
        ] {
            assert_eq!(code(path).as_deref(), expected, "{path}");
        }
        assert!(code(&format!("/{}", "a".repeat(64))).is_some());
        assert!(code(&format!("/{}", "a".repeat(65))).is_none());
    }

    #[test]
    fn what_stands_behind_a_code_is_kept_as_it_is() {
        for (path, expected) in [
            ("/abc", None),
            ("/abc/", None),
            ("/abc//", Some("/")),
            ("/abc/def", Some("def")),
            ("/abc/def/", Some("def/")),
            ("/a%62c/d%2Fe/../f", Some("d%2Fe/../f")),
            ("/abc//evil.example/", Some("/evil.example/")),
            ("/abc/http://host//x", Some("http://host//x")),
        ] {
            assert_eq!(rest(path), expected, "{path}");
        }
    }

    #[test]
    fn what_is_a_preview() {
        for (path, expected) in [
            ("/abc+", Some("abc")),
            ("/abc+/", Some("abc")),
            ("/abc%2B", Some("abc")),
            ("/%61bc%2b", Some("abc")),
            ("/abc", None),
            ("/abc++", None),
            ("/abc/+", None),
            ("/abc/d+", None),
            ("/a+c", None),
            ("/+", None),
            ("//abc+", None),
            ("+", None),
            ("", None),
        ] {
            assert_eq!(previewed(path).as_deref(), expected, "{path}");
        }
    }

    #[test]
    fn the_prefix_is_cut_off_once() {
        for (path, prefix, expected) in [
            ("/abc", "", "/abc"),
            ("/s/abc", "/s", "/abc"),
            ("/s/s/abc", "/s", "/s/abc"),
            ("/s", "/s", "/"),
            ("/s/", "/s", "/"),
            ("/shop", "/s", "/shop"),
            ("/abc", "/s", "/abc"),
            ("/", "", "/"),
        ] {
            assert_eq!(without_prefix(path, prefix), expected, "{path} {prefix}");
        }
    }

    proptest! {
        #[test]
        fn escaping_any_character_of_a_code_changes_nothing(text in "[0-9A-Za-z_-]{1,64}", which in any::<u64>()) {
            let escape = |(place, byte): (usize, u8)| {
                if which >> (place % 64) & 1 == 1 { format!("%{byte:02x}") } else { char::from(byte).to_string() }
            };
            let path: String = text.bytes().enumerate().map(escape).collect();
            let path = format!("/{path}");
            let decoded = code(&path);
            prop_assert_eq!(decoded.as_deref(), Some(text.as_str()));
        }

        #[test]
        fn no_path_panics(path in "/?\\PC{0,70}") {
            if let Some(code) = code(&path) {
                prop_assert!(is_code(code.as_bytes()));
            }
        }
    }
}
