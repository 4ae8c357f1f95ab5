//! How codes and ids are made.

use super::*;

const SECRET: &str = "correct horse battery staple, and more";

#[test]
fn a_scheme_with_a_secret_needs_one_of_32_characters() {
    for scheme in ["permuted", "snowflake"] {
        let given = || Given::nothing().env("HNY_CODES", scheme);
        assert_eq!(given().problems().len(), 1, "{scheme}");
        assert!(given().problems()[0].starts_with("code_key: must be set"), "{:?}", given().problems());
        let short = given().env("HNY_CODE_KEY", &SECRET[..31]).problems();
        assert!(short[0].starts_with("HNY_CODE_KEY: must be 32") && !short[0].contains("horse"), "{short:?}");
        let codes = given().env("HNY_CODE_KEY", SECRET).config().codes;
        assert_eq!(codes.key.as_ref().map(CodeKey::reveal), Some(SECRET));
        assert!(!format!("{codes:?}").contains("horse"));
    }
}

#[test]
fn bad_schemes_lengths_words_and_nodes_are_named() {
    let given = Given::nothing()
        .env("HNY_CODES", "sequential")
        .env("HNY_CODE_LENGTH", "3")
        .env("HNY_UNLUCKY_WORDS", "ab")
        .env("HNY_DATACENTER_ID", "32")
        .env("HNY_WORKER_ID", "-1");
    let problems = given.problems().join("\n");
    for name in ["HNY_CODES", "HNY_CODE_LENGTH", "HNY_UNLUCKY_WORDS", "HNY_DATACENTER_ID", "HNY_WORKER_ID"] {
        assert!(problems.contains(&format!("{name}: must be ")), "{name} in {problems}");
    }
    let given = Given::nothing().env("HNY_CODES", "counter").env("HNY_CODE_ALPHABET", "unambiguous");
    assert!(given.problems()[0].starts_with("HNY_CODE_ALPHABET: must be base62"));
}

#[test]
fn unlucky_words_are_extended_or_emptied() {
    let list = |text: &str| Given::nothing().env("HNY_UNLUCKY_WORDS", text).config().codes.unlucky.list().unwrap();
    assert!(list("default,honey").contains_unlucky("xH0neyx"));
    assert!(list("honey").contains_unlucky("honey"));
    assert!(!list("none").contains_unlucky("honey"));
}
