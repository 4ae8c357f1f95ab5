//! What is wrong with a setting stops the start, with its name.

use super::{KEY, program};

#[test]
fn a_setting_that_is_wrong_stops_the_start() {
    let long = "x".repeat(31);
    for (name, value, scheme) in [
        ("HNY_CODES", "sequential", "sequential"),
        ("HNY_CODES", "Random", "Random"),
        ("HNY_CODE_LENGTH", "3", "random"),
        ("HNY_CODE_LENGTH", "33", "counter"),
        ("HNY_CODE_LENGTH", "7.5", "hash"),
        ("HNY_CODE_KEY", "short", "permuted"),
        ("HNY_CODE_KEY", &*long, "snowflake"),
        ("HNY_CODE_ALPHABET", "base64", "random"),
        ("HNY_CODE_ALPHABET", "unambiguous", "counter"),
        ("HNY_UNLUCKY_WORDS", "b-d", "random"),
        ("HNY_DATACENTER_ID", "32", "random"),
        ("HNY_WORKER_ID", "-1", "random"),
        ("HNY_WORKER_ID", "one", "snowflake"),
    ] {
        let program = program().env("HNY_CODES", scheme).env("HNY_CODE_KEY", KEY).env(name, value);
        let Err(stopped) = program.try_start() else { panic!("{name}={value} is fine with {scheme}") };
        let said = String::from_utf8(stopped.stderr).unwrap();
        assert_eq!(stopped.status.code(), Some(2), "{name}={value} {said}");
        assert!(said.contains(name), "{name}={value} {said}");
        assert!(!program.database().exists(), "nothing was tried");
    }
}

#[test]
fn a_scheme_that_needs_a_key_does_not_start_without() {
    for scheme in ["permuted", "snowflake"] {
        let Err(stopped) = program().env("HNY_CODES", scheme).try_start() else { panic!("{scheme} needs a key") };
        let said = String::from_utf8(stopped.stderr).unwrap();
        assert_eq!(stopped.status.code(), Some(2), "{said}");
        assert!(said.contains("HNY_CODE_KEY"), "{said}");
    }
}
