//! The password of a link. As it was typed it is only looked at; what is kept is a hash.

use std::fmt;

/// The longest password, in bytes: long enough for any phrase, short enough to be hashed.
pub const MAX_LENGTH: usize = 1_024;

/// A hash of a password, in the text form of PHC (`$argon2id$…`). How it is made is not known here.
#[derive(Clone, PartialEq, Eq)]
pub struct PasswordHash(Box<str>);

impl PasswordHash {
    /// The text of a hash.
    pub fn new(text: impl Into<Box<str>>) -> Self {
        Self(text.into())
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for PasswordHash {
    /// A hash can be tried against many passwords, so it does not slip into a log by way of `{:?}`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PasswordHash(…)")
    }
}

/// Checks whether a text can be a password: 1 to 1,024 bytes, no NUL.
pub fn check(text: &str) -> Result<(), String> {
    if text.contains('\0') {
        return Err("a password may not contain a NUL character, which nobody can type".to_owned());
    }
    match text.len() {
        0 => Err("a password has at least one character; leave it out for none".to_owned()),
        length if length > MAX_LENGTH => {
            Err(format!("a password has at most {MAX_LENGTH} bytes; this one has {length}"))
        }
        _ => Ok(()),
    }
}

#[test]
fn a_hash_does_not_slip_into_a_log() {
    assert_eq!(format!("{:?}", PasswordHash::new("$argon2id$secret")), "PasswordHash(…)");
    assert!(check("a").is_ok() && check(&"a".repeat(1_024)).is_ok());
    assert!(check("").is_err() && check(&"a".repeat(1_025)).is_err());
}
