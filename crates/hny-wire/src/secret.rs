//! A text that no log and no error repeats.

use std::fmt;

use serde::Deserialize;

/// A secret as it was sent.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct Secret(String);

impl Secret {
    /// The text.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

#[test]
fn a_secret_does_not_slip_into_a_log() {
    assert_eq!(format!("{:?}", Secret("honey".to_owned())), "Secret(…)");
}
