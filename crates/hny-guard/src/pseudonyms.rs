//! What clients are called where others can read it.

use std::fmt;

use sha2::{Digest, Sha256};

use crate::Client;
use crate::counted::Counted;

/// Names for clients that say nothing about them: Redis may write its keys to disk, and no address of a visitor may ever come
/// there. There are so few addresses that a mere hash of one could be reversed by trying all; so a secret goes into it.
#[derive(Clone, PartialEq, Eq)]
pub struct Pseudonyms([u8; 32]);

impl Pseudonyms {
    /// Pseudonyms of everyone who has these secrets, in this order.
    pub fn new<'a>(secrets: impl IntoIterator<Item = &'a str>) -> Self {
        let mut hash = Sha256::new_with_prefix("hny clients");
        for secret in secrets {
            // Hashed, each has the same length, so that none can borrow from its neighbour.
            hash.update(Sha256::digest(secret));
        }
        Self(hash.finalize().into())
    }

    /// Those of a UTC day, under its key: when that is destroyed nobody can tell any more who was meant.
    pub fn of_day(key: [u8; 32]) -> Self {
        Self(Sha256::new_with_prefix("hny clients of a day").chain_update(key).finalize().into())
    }

    /// The name of a client, in hexadecimal.
    pub fn name(&self, client: Client) -> String {
        self.hash(client)
    }

    /// The key under which something of this name is counted of somebody.
    pub(crate) fn key(&self, name: &str, who: impl Counted) -> String {
        format!("{name}:{}", self.hash(who))
    }

    fn hash(&self, who: impl Counted) -> String {
        let hash = Sha256::new_with_prefix(self.0).chain_update(who.bytes()).finalize();
        // 128 bits: no two meet.
        let hash = hash.iter().take(16).fold(0_u128, |number, byte| number << 8 | u128::from(*byte));
        format!("{hash:032x}")
    }
}

impl fmt::Debug for Pseudonyms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Pseudonyms(hidden)")
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn client(text: &str) -> Client {
        Client::of(text.parse().unwrap())
    }

    #[test]
    fn a_client_has_one_name_among_those_who_know_the_secrets() {
        let names = Pseudonyms::new(["one", "two"]);
        assert_eq!(names.name(client("203.0.113.5")), Pseudonyms::new(["one", "two"]).name(client("203.0.113.5")));
        let others = [&["one"][..], &["two", "one"], &["onetwo"], &["on", "etwo"], &["one", "two", ""], &[]];
        let keys: HashSet<_> = others
            .into_iter()
            .map(|secrets| Pseudonyms::new(secrets.iter().copied()).name(client("203.0.113.5")))
            .chain([
                names.name(client("203.0.113.5")),
                names.name(client("203.0.113.6")),
                names.name(client("2001:db8::")),
            ])
            .collect();
        assert_eq!(keys.len(), 9);
    }

    #[test]
    fn a_name_shows_nothing() {
        let key = Pseudonyms::new(["secret"]).key("creates", client("203.0.113.5"));
        assert!(key.starts_with("creates:") && key.len() == 40 && !key.contains("203"), "{key}");
    }

    #[test]
    fn each_day_has_names_of_its_own() {
        let of = |key| Pseudonyms::of_day([key; 32]).name(client("203.0.113.5"));
        assert_eq!(of(1), of(1));
        assert_ne!(of(1), of(2));
    }
}
