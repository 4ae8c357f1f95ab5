//! The names of the schemes.

use std::fmt;
use std::str::FromStr;

/// How the codes of an installation are made. All but [`Scheme::Hash`] give every link a code of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Scheme {
    /// Uniform random codes ([`RandomCodes`](crate::RandomCodes)); a taken one is drawn again.
    #[default]
    Random,
    /// A leased counter behind a keyed permutation ([`Permutation`](crate::Permutation)).
    Permuted,
    /// A leased counter in plain base62 ([`CounterCodes`](crate::CounterCodes)): anyone can count the links.
    Counter,
    /// [Snowflake ids](crate::snowflake) behind a permutation of 11 characters.
    Snowflake,
    /// A hash of owner and target ([`HashCodes`](crate::HashCodes)): the same link gets the same code.
    Hash,
}

/// The name of no [`Scheme`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{name}' is no code scheme; it is 'random', 'permuted', 'counter', 'snowflake' or 'hash'")]
pub struct UnknownScheme {
    /// What was given.
    pub name: String,
}

impl Scheme {
    /// Every scheme there is.
    pub const ALL: [Self; 5] = [Self::Random, Self::Permuted, Self::Counter, Self::Snowflake, Self::Hash];

    /// The name used in settings, all lower case.
    pub fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Permuted => "permuted",
            Self::Counter => "counter",
            Self::Snowflake => "snowflake",
            Self::Hash => "hash",
        }
    }

    /// Whether it works under a secret key.
    pub fn needs_key(self) -> bool {
        matches!(self, Self::Permuted | Self::Snowflake)
    }

    /// Whether it is made of numbers that nodes lease in ranges.
    pub fn needs_counter(self) -> bool {
        matches!(self, Self::Permuted | Self::Counter)
    }
}

impl FromStr for Scheme {
    type Err = UnknownScheme;

    fn from_str(name: &str) -> Result<Self, UnknownScheme> {
        let named = Self::ALL.into_iter().find(|scheme| scheme.name() == name);
        named.ok_or_else(|| UnknownScheme { name: name.to_owned() })
    }
}

impl fmt::Display for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::Scheme;

    #[test]
    fn names_are_read_back_and_listed_in_the_error() {
        let error = "sequential".parse::<Scheme>().unwrap_err().to_string();
        for scheme in Scheme::ALL {
            assert_eq!(scheme.to_string().parse(), Ok(scheme));
            assert!(error.contains(&format!("'{scheme}'")), "{error}");
        }
        assert!("Random".parse::<Scheme>().is_err());
        assert!("".parse::<Scheme>().is_err());
    }
}
