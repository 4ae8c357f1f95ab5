//! Rules of blocklists: every spelling that a browser would open becomes one text, and that text is the rule again.

use hny_guard::BlockRule;

use crate::Target;

/// Bytes that may be a URL or a domain.
pub const TARGET: Target = Target {
    seeds: &[
        b"https://user:secret@EVIL.example.:8080/a/./b/../c%2f%2525?q=1#part",
        b"http://0x7f.1/%20%23?%3f",
        b"evil.example",
        b"e%2fvil.example",
        b"http://[::ffff:10.0.0.1]:80/",
        b"http://xn--bcher-kva.example/\xe2\x82\xac",
        b"http://3279880203/blah//..//.",
        b"http://[::ffff:10.0.2z:10.0.2z",
        b"http://[::ffff:10.0...0.1]:8\r0/",
    ],
    words: &[
        "%25", "%2e", "%2f", "%23", "%3f", "%00", "/../", "//", "..", ".", "0x", "@", ":80", "[", "]", "?", "#", "é",
        "xn--", "\t",
    ],
    run,
};

fn run(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok(rule) = BlockRule::parse(text) else { return };
    let written = rule.to_string();
    assert!(written.bytes().all(|byte| byte.is_ascii_graphic()), "{written}");
    assert_eq!(BlockRule::parse(&written).as_ref(), Ok(&rule), "{written}");
}
