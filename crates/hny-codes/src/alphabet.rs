//! The symbols a generated code is made of.

use std::fmt;
use std::str::FromStr;

use crate::base62;

/// The symbols of [`Alphabet::Unambiguous`], in the order of base62.
pub(crate) const UNAMBIGUOUS: &[u8; 57] = b"23456789abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ";

/// The symbols that random codes are drawn from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Alphabet {
    /// All 62 digits and letters, `0-9a-zA-Z`.
    #[default]
    Base62,
    /// The 57 of them that cannot be taken for one another in print: no `0`, `O`, `1`, `l`, `I`.
    Unambiguous,
}

/// The name of no [`Alphabet`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{name}' is no alphabet; it is 'base62' or 'unambiguous'")]
pub struct UnknownAlphabet {
    /// What was given.
    pub name: String,
}

impl Alphabet {
    /// Every alphabet there is.
    pub const ALL: [Self; 2] = [Self::Base62, Self::Unambiguous];

    /// The symbols: distinct ASCII letters and digits.
    pub fn symbols(self) -> &'static [u8] {
        match self {
            Self::Base62 => base62::DIGITS,
            Self::Unambiguous => UNAMBIGUOUS,
        }
    }

    /// The name used in settings: `base62` or `unambiguous`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Base62 => "base62",
            Self::Unambiguous => "unambiguous",
        }
    }
}

impl FromStr for Alphabet {
    type Err = UnknownAlphabet;

    fn from_str(name: &str) -> Result<Self, UnknownAlphabet> {
        Self::ALL
            .into_iter()
            .find(|alphabet| alphabet.name() == name)
            .ok_or_else(|| UnknownAlphabet { name: name.to_owned() })
    }
}

impl fmt::Display for Alphabet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::Alphabet;

    #[test]
    fn unambiguous_is_base62_without_five() {
        let mut expected = Alphabet::Base62.symbols().to_vec();
        expected.retain(|symbol| !b"0O1lI".contains(symbol));
        assert_eq!(Alphabet::Unambiguous.symbols(), expected);
        assert_eq!(expected.len(), 57);
    }

    #[test]
    fn names_are_read_back() {
        for alphabet in Alphabet::ALL {
            assert_eq!(alphabet.to_string().parse(), Ok(alphabet));
        }
        let error = "Base64".parse::<Alphabet>().unwrap_err();
        assert_eq!(error.to_string(), "'Base64' is no alphabet; it is 'base62' or 'unambiguous'");
    }
}
