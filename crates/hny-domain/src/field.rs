//! What is wrong with one field of what a caller sent.

use std::fmt;

/// A field by its name on the wire, and what would be right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldError {
    /// The name on the wire, such as `originalUrl`.
    pub field: String,
    /// One sentence for the person who sent it.
    pub detail: String,
}

impl FieldError {
    /// Says that `field` is wrong, and why.
    pub fn new(field: impl Into<String>, detail: impl fmt::Display) -> Self {
        Self { field: field.into(), detail: detail.to_string() }
    }
}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.field, self.detail)
    }
}

/// Gathers what is wrong, so that a caller hears of all of it at once.
#[derive(Debug, Default)]
pub struct Problems(Vec<FieldError>);

impl Problems {
    /// Notes that `field` is wrong.
    pub fn note(&mut self, field: &str, detail: impl fmt::Display) {
        self.0.push(FieldError::new(field, detail));
    }

    /// Passes a good value on and notes a bad one.
    pub fn take<T, E: fmt::Display>(&mut self, field: &str, result: Result<T, E>) -> Option<T> {
        result.map_err(|error| self.note(field, error)).ok()
    }

    /// Passes a good value on and notes everything that is wrong with a bad one.
    pub fn take_all<T>(&mut self, result: Result<T, Vec<FieldError>>) -> Option<T> {
        result.map_err(|problems| self.0.extend(problems)).ok()
    }

    /// The value, if nothing was noted.
    pub fn finish<T>(self, value: Option<T>) -> Result<T, Vec<FieldError>> {
        match value {
            Some(value) if self.0.is_empty() => Ok(value),
            _ => Err(self.0),
        }
    }
}
