//! Codes: every way to ask tells the same of them, and they come out as they went in.

use hny_domain::code::{Code, is_code};
use hny_domain::reserved::is_reserved;

use crate::Target;

/// Bytes that may be a code.
pub const TARGET: Target = Target {
    seeds: &[b"aB3x9zQ", b"a", b"O0l1I-_", b"api", b"l\xc3\xb6", &[b'z'; 64], &[b'z'; 65]],
    words: &["-", "_", "0", "O", "l", "I", "rn", "/", "+", "%2F", "\0", "ß", "api", "login"],
    run,
};

fn run(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        assert!(!is_code(bytes), "a code is ASCII");
        return;
    };
    let Ok(code) = Code::parse(text) else {
        assert!(!is_code(bytes), "a code is a code, whoever is asked");
        return;
    };
    assert!(is_code(bytes));
    assert_eq!(code.as_str(), text);
    let skeleton = Code::parse(&code.skeleton()).expect("what a code looks like is a code");
    assert_eq!(skeleton.skeleton(), skeleton.as_str(), "what looks alike looks like one thing");
    assert_eq!(is_reserved(text), is_reserved(&text.to_ascii_uppercase()), "reserved in any case");
}
