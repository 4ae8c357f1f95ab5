//! What links are like, and who may make them.

use hny_domain::Defaults;
use hny_service::CreatePolicy;

use super::reader::Reader;
use super::value::{ValueError, choice, parse_boolean};

/// What links are like, and who may make them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Links {
    /// What a link does when it does not say.
    pub defaults: Defaults,
    /// Who may make links.
    pub create: CreatePolicy,
}

impl Links {
    pub(super) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let redirect_status =
            reader.required("redirect_status", |text| text.parse().map_err(ValueError::RedirectStatus));
        let forward_query = reader.required("forward_query", parse_boolean);
        let create =
            reader.required("create", |text| choice(text, &[("open", CreatePolicy::Open), ("key", CreatePolicy::Key)]));
        Some(Self {
            defaults: Defaults { redirect_status: redirect_status?, forward_query: forward_query? },
            create: create?,
        })
    }
}
