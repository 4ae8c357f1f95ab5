//! What links are like, and who may make them.

use hny_codes::Alphabet;
use hny_domain::Defaults;
use hny_service::CreatePolicy;

use super::reader::Reader;
use super::value::{ValueError, choice, number, parse_boolean};

/// What links are like, and who may make them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Links {
    /// What a link does when it does not say.
    pub defaults: Defaults,
    /// How many characters a generated code has: 4 to 32.
    pub code_length: usize,
    /// Of which characters it is made.
    pub code_alphabet: Alphabet,
    /// Who may make links.
    pub create: CreatePolicy,
}

impl Links {
    pub(super) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let redirect_status =
            reader.required("redirect_status", |text| text.parse().map_err(ValueError::RedirectStatus));
        let forward_query = reader.required("forward_query", parse_boolean);
        let codes = reader.required("codes", parse_codes);
        let code_length = reader.required("code_length", |text| number(text, 4, 32));
        let code_alphabet = reader.required("code_alphabet", |text| {
            choice(text, &[("base62", Alphabet::Base62), ("unambiguous", Alphabet::Unambiguous)])
        });
        let create =
            reader.required("create", |text| choice(text, &[("open", CreatePolicy::Open), ("key", CreatePolicy::Key)]));
        codes?;
        Some(Self {
            defaults: Defaults { redirect_status: redirect_status?, forward_query: forward_query? },
            code_length: code_length?,
            code_alphabet: code_alphabet?,
            create: create?,
        })
    }
}

/// Random codes are the only ones yet, so there is nothing to keep.
fn parse_codes(text: &str) -> Result<(), ValueError> {
    match text {
        "permuted" | "counter" | "snowflake" | "hash" => {
            Err(ValueError::Later("making codes in other ways than 'random' is"))
        }
        _ => choice(text, &[("random", ())]),
    }
}
