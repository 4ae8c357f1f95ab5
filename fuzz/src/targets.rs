//! Targets: what is taken is a URL that may stand in a header, is taken again unchanged, and has every escape that it was given.

use hny_domain::target::MAX_LENGTH;
use hny_domain::{BaseUrl, Target as Url};

use crate::Target;

/// Text that may be a URL.
pub const TARGET: Target = Target {
    seeds: &[
        b"https://example.com/a%2Fb?q=a%2Bb&x=1#part",
        b"http://192.0.2.7:8080/",
        b"http://[2001:db8::1]:8080/x?y",
        b"https://b\xc3\xbccher.example/\xe2\x82\xac",
        b"https://hny.example/go",
        b"https://user:pw@example.com/",
        b"https:\\\\example.com\\..\\x",
        b"https://https://example.com",
    ],
    words: &[
        "https://",
        "http:",
        "//",
        "\\",
        "@",
        ":",
        "%",
        "%2f",
        "%00",
        "%25",
        "?",
        "#",
        "..",
        "/%2e%2e/",
        "[::1]",
        "0x7f.1",
        "hny.example",
        "HNY.EXAMPLE.",
        "xn--",
        "\t",
        "\n",
        " ",
        "\0",
        "é",
        "。",
        "\u{202e}",
        ":443",
        ":80",
        ":99999",
    ],
    run,
};

fn run(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let base = BaseUrl::parse("https://hny.example/go").expect("a base URL");
    let Ok(target) = Url::parse_foreign(text, base.own_hosts()) else { return };
    let url = target.as_str();
    assert!(url.starts_with("http://") || url.starts_with("https://"), "{url}");
    assert!(url.len() <= MAX_LENGTH && url.bytes().all(|byte| byte.is_ascii_graphic()), "{url}");
    let authority = url.split("://").nth(1).and_then(|rest| rest.split(['/', '?', '#']).next()).unwrap_or_default();
    assert!(!authority.is_empty() && !authority.contains('@'), "{url}");
    assert!(!matches!(authority, "hny.example" | "hny.example."), "{url} leads to us");
    assert_eq!(Url::parse(url).as_ref(), Ok(&target), "a target is taken again as it is");
    // In front of these the parser resolves dots, which it knows by their escapes, too.
    let escapes_behind_path = |text: &str| text.find(['?', '#']).map_or(0, |at| escapes(&text[at..]));
    assert!(escapes_behind_path(url) >= escapes_behind_path(text), "{text} {url}");
}

/// How many percent escapes a text has.
fn escapes(text: &str) -> usize {
    let is_escape = |window: &&[u8]| window[0] == b'%' && window[1..].iter().all(u8::is_ascii_hexdigit);
    text.as_bytes().windows(3).filter(is_escape).count()
}
