//! How codes and ids are made.

use std::fmt;

use hny_codes::{Alphabet, Permutation, Scheme, Unlucky, WordError};
use hny_store::NodeWish;

use super::reader::Reader;
use super::value::{ValueError, choice, number};

/// How codes and ids are made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Codes {
    /// How codes are made.
    pub scheme: Scheme,
    /// How many characters a generated code has: 4 to 32.
    pub length: usize,
    /// Of which characters a random code is made.
    pub alphabet: Alphabet,
    /// The secret of permuted and Snowflake codes; there it is set, unless the node makes no links.
    pub key: Option<CodeKey>,
    /// The words that no generated code shows.
    pub unlucky: UnluckyWords,
    /// Under which node ids are made.
    pub node: NodeWish,
}

/// The secret of permuted and Snowflake codes: 32 or more characters.
#[derive(Clone, PartialEq, Eq)]
pub struct CodeKey(String);

impl CodeKey {
    /// The secret itself.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for CodeKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CodeKey(hidden)")
    }
}

/// The words that no generated code shows.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct UnluckyWords {
    /// Whether the list that comes with the program is among them.
    pub with_default: bool,
    /// The operator's own words.
    pub own: Vec<String>,
}

impl UnluckyWords {
    /// `default`, `none`, or words separated by commas, of which `default` may be one.
    fn parse(text: &str) -> Result<Self, ValueError> {
        let mut words = Self::default();
        for word in text.split(',').map(str::trim).filter(|word| !word.is_empty()) {
            match word {
                "default" => words.with_default = true,
                "none" => {}
                own => words.own.push(own.to_owned()),
            }
        }
        words.list().map_err(ValueError::UnluckyWord)?;
        Ok(words)
    }

    /// The list.
    pub fn list(&self) -> Result<Unlucky, WordError> {
        let mut list = if self.with_default { Unlucky::default() } else { Unlucky::empty() };
        list.extend(&self.own)?;
        Ok(list)
    }
}

impl Codes {
    /// Reads them for a node that makes links, or for one that does not and needs no secret.
    pub(super) fn read(reader: &mut Reader<'_>, makes_links: bool) -> Option<Self> {
        let scheme = reader.required("codes", |text| choice(text, &Scheme::ALL.map(|scheme| (scheme.name(), scheme))));
        let length = reader.required("code_length", |text| number(text, 4, 32));
        let alphabet = reader.required("code_alphabet", |text| {
            choice(text, &[("base62", Alphabet::Base62), ("unambiguous", Alphabet::Unambiguous)])
        });
        let key = reader.or("code_key", None, |text| parse_key(text).map(Some));
        let unlucky = reader.required("unlucky_words", UnluckyWords::parse);
        let datacenter = reader.or("datacenter_id", None, |text| parse_node_id(text).map(Some));
        let worker = reader.or("worker_id", None, |text| parse_node_id(text).map(Some));
        if makes_links && scheme.is_some_and(Scheme::needs_key) && key == Some(None) {
            reader.refuse("code_key", ValueError::CodeKeyNeeded);
        }
        if scheme.is_some_and(|scheme| scheme != Scheme::Random) && alphabet == Some(Alphabet::Unambiguous) {
            reader.refuse("code_alphabet", ValueError::OnlyRandomIsUnambiguous);
        }
        Some(Self {
            scheme: scheme?,
            length: length?,
            alphabet: alphabet?,
            key: key?,
            unlucky: unlucky?,
            node: NodeWish { datacenter: datacenter?, worker: worker? },
        })
    }
}

fn parse_key(text: &str) -> Result<CodeKey, ValueError> {
    if text.chars().count() < Permutation::MIN_KEY_LENGTH {
        return Err(ValueError::CodeKeyTooShort);
    }
    Ok(CodeKey(text.to_owned()))
}

fn parse_node_id(text: &str) -> Result<u8, ValueError> {
    let id = number(text, 0, 31)?;
    u8::try_from(id).map_err(|_| ValueError::Number { min: 0, max: 31 })
}
