//! Queries that are handed on: the target's own part stays, the fragment stays last, and the visitor's bytes are untouched.

use hny_domain::Target as Url;
use hny_domain::target::with_query;

use crate::Target;

/// A target, a line's end, and a visitor's query.
pub const TARGET: Target = Target {
    seeds: &[
        b"https://example.com/p?a=1#frag\nb=2",
        b"https://example.com/\na+b=%2B&a=1&a=2",
        b"https://example.com/?\n&",
        b"https://example.com/?x&\n\xe2\x82\xac",
        b"https://example.com/#a?b#c\n?",
    ],
    words: &["?", "&", "#", "=", "+", "%26", "%", "&&", "/", "é", "\"", "<"],
    run,
};

fn run(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Some((url, query)) = text.split_once('\n') else { return };
    // A `#` would have ended it, a blank or a line's end the line of the request, and an empty one is none.
    let ends = |character: char| character == '#' || character.is_ascii_whitespace();
    let (Ok(target), false, false) = (Url::parse(url), query.is_empty(), query.contains(ends)) else { return };
    let location = with_query(target.as_str(), query);
    assert!(location.bytes().all(|byte| byte.is_ascii_graphic()), "{location}");
    let ((front, fragment), (sent, sent_fragment)) = (apart(target.as_str()), apart(&location));
    assert_eq!(sent_fragment, fragment);
    let added = sent.strip_prefix(front).expect("the target's own part comes first");
    let joint = match front.split_once('?') {
        None => "?",
        Some((_, own)) if own.is_empty() || own.ends_with('&') => "",
        Some(_) => "&",
    };
    let added = added.strip_prefix(joint).expect("one sign joins both");
    if query.bytes().all(|byte| byte.is_ascii_graphic()) {
        assert_eq!(added, query);
    }
}

/// What stands before the fragment, and the fragment.
fn apart(url: &str) -> (&str, Option<&str>) {
    url.split_once('#').map_or((url, None), |(front, fragment)| (front, Some(fragment)))
}
