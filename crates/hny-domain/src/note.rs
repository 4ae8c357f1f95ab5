//! The note of a link: lines for its owner.

/// The longest note, in characters.
pub const MAX_LENGTH: usize = 4_000;

/// Checks a note: up to 4,000 characters, no NUL (databases and terminals end a text there).
pub fn check(text: &str) -> Result<String, String> {
    if text.contains('\0') {
        return Err("a note may not contain a NUL character".to_owned());
    }
    let length = text.chars().count();
    if length > MAX_LENGTH {
        return Err(format!("a note has at most {MAX_LENGTH} characters; this one has {length}"));
    }
    Ok(text.to_owned())
}

#[test]
fn a_note_has_an_end() {
    assert!(check("two\nlines").is_ok() && check(&"ü".repeat(MAX_LENGTH)).is_ok());
    assert!(check(&"a".repeat(MAX_LENGTH + 1)).is_err() && check("a\0").is_err());
}
