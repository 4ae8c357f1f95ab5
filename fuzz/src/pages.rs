//! Pages: every spelling of a URL becomes one text, and what of it may be on a list are a few different texts of its host.

use std::collections::HashSet;

use hny_guard::fuzzing::{canonical, expressions};

use crate::Target;

/// How many expressions a URL has at most: five hosts, six paths.
const MOST: usize = 30;

/// Bytes that may be a URL.
pub const TARGET: Target = Target {
    seeds: &[
        b"https://user:secret@a.b.c.d.EVIL.example.:8080/a/./b/../c/d/e/f%2f%2525?q=1#part",
        b"http://a.b.c.d.e.f.g/1/2/3/4/5.html?param=1",
        b"http://%31%36%38%2e%31%38%38%2e%39%39%2e%32%36/%2E%73%65%63%75%72%65/",
        b"http://[64:ff9b::1.2.3.4]/1/",
        b"http://0x7f.1/%20%23?%3f",
        b"http://host.com//twoslashes?more//slashes",
        b"http://\x01\x80.com/",
        b"a.b.github.io",
        b"http://www.\xc3\xbcmlat.co.uk/",
        b"http://%31%36%38%2e%\xc3\xa931%38%3\x1d%.io.",
    ],
    words: &[
        "%25", "%2e", "%2f", "%23", "%3f", "%40", "%3a", "%00", "/../", "//", "..", ".", "0x", "@", ":80", "[", "]",
        "?", "#", "é", "xn--", "\t", "://", "co.uk",
    ],
    run,
};

fn run(bytes: &[u8]) {
    let Some(once) = canonical(bytes) else { return };
    assert!(once.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'#'), "{once}");
    assert_eq!(canonical(once.as_bytes()).as_ref(), Some(&once));
    let found = expressions(&once);
    assert!((1..=MOST).contains(&found.len()), "{found:?}");
    assert_eq!(found.iter().collect::<HashSet<_>>().len(), found.len(), "each is asked for once: {found:?}");
    let host = once.split('/').nth(2).expect("a canonical URL has a host");
    for expression in &found {
        let (name, _) = expression.split_once('/').expect("an expression has a path");
        assert!(host == name || host.ends_with(&format!(".{name}")), "{name} is not {host}");
    }
}
