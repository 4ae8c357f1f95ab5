//! The title of a link: a line for its owner.

/// The longest title, in characters.
pub const MAX_LENGTH: usize = 512;

/// Checks a title: up to 512 characters, no NUL (databases and terminals end a text there).
pub fn check(text: &str) -> Result<String, String> {
    if text.contains('\0') {
        return Err("a title may not contain a NUL character".to_owned());
    }
    let length = text.chars().count();
    if length > MAX_LENGTH {
        return Err(format!("a title has at most {MAX_LENGTH} characters; this one has {length}"));
    }
    Ok(text.to_owned())
}
