//! What is sent to change a link: a merge patch (RFC 7396).

use hny_domain::{EditInput, Patch};
use serde::{Deserialize, Deserializer};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{Object, Schema, SchemaType, Type};
use utoipa::{PartialSchema, ToSchema};

use crate::NewLink;
use crate::read::{Shape, Unknown};
use crate::secret::Secret;
use crate::whole;

/// A merge patch as it is sent: `null` clears, an absent field keeps.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", default, expecting = "an object")]
pub struct LinkPatch {
    /// Another code.
    #[serde(deserialize_with = "patch")]
    pub custom_code: Patch<String>,
    /// Whether it shall be found by the old code too.
    pub keep_alias: Option<bool>,
    /// Whether the other code may look like another chosen one.
    pub allow_lookalike: Option<bool>,
    /// A new target; `url` means the same.
    #[serde(alias = "url", deserialize_with = "patch")]
    pub original_url: Patch<String>,
    /// A new end.
    #[serde(deserialize_with = "patch")]
    pub expires_at: Patch<String>,
    /// A new beginning.
    #[serde(deserialize_with = "patch")]
    pub valid_from: Patch<String>,
    /// How often it may be followed.
    #[serde(deserialize_with = "whole::patch")]
    pub max_clicks: Patch<i64>,
    /// 301, 302, 307 or 308.
    #[serde(deserialize_with = "whole::patch")]
    pub redirect_status: Patch<i64>,
    /// Whether the visitor's query is handed on.
    #[serde(deserialize_with = "patch")]
    pub forward_query: Patch<bool>,
    /// Whether what stands behind the code in the visitor's path is handed on.
    #[serde(deserialize_with = "patch")]
    pub forward_path: Patch<bool>,
    /// Where visitors go when it is expired or used up.
    #[serde(deserialize_with = "patch")]
    pub expired_url: Patch<String>,
    /// What its visitors must know.
    #[serde(deserialize_with = "patch")]
    pub password: Patch<Secret>,
    /// A line for its owner.
    #[serde(deserialize_with = "patch")]
    pub title: Patch<String>,
    /// Words to find it by; all of them.
    #[serde(deserialize_with = "patch")]
    pub tags: Patch<Vec<String>>,
    /// More lines for its owner.
    #[serde(deserialize_with = "patch")]
    pub note: Patch<String>,
    /// Whether it redirects.
    #[serde(deserialize_with = "patch")]
    pub active: Patch<bool>,
    #[serde(flatten)]
    unknown: Unknown,
}

impl LinkPatch {
    /// The new password, if there shall be one.
    pub fn password(&self) -> Option<&str> {
        match &self.password {
            Patch::Set(secret) => Some(secret.reveal()),
            Patch::Keep | Patch::Clear => None,
        }
    }

    /// The fields, for the domain to check.
    pub fn input(&self) -> EditInput<'_> {
        EditInput {
            custom_code: self.custom_code.as_deref(),
            keep_alias: self.keep_alias,
            allow_lookalike: self.allow_lookalike,
            original_url: self.original_url.as_deref(),
            expires_at: self.expires_at.as_deref(),
            valid_from: self.valid_from.as_deref(),
            max_clicks: self.max_clicks,
            redirect_status: self.redirect_status,
            forward_query: self.forward_query,
            forward_path: self.forward_path,
            expired_url: self.expired_url.as_deref(),
            password: match &self.password {
                Patch::Keep => Patch::Keep,
                Patch::Clear => Patch::Clear,
                Patch::Set(secret) => Patch::Set(secret.reveal()),
            },
            title: self.title.as_deref(),
            tags: self.tags.as_deref(),
            note: self.note.as_deref(),
            active: self.active,
        }
    }
}

impl Shape for LinkPatch {
    const FIELDS: &'static [&'static str] = &[
        "customCode",
        "keepAlias",
        "allowLookalike",
        "originalUrl",
        "expiresAt",
        "validFrom",
        "maxClicks",
        "redirectStatus",
        "forwardQuery",
        "forwardPath",
        "expiredUrl",
        "password",
        "title",
        "tags",
        "note",
        "active",
    ];

    fn unknown(&self) -> impl Iterator<Item = &str> {
        self.unknown.names()
    }
}

/// A field of a change is what it is of a new link, and none has to be there.
impl PartialSchema for LinkPatch {
    fn schema() -> RefOr<Schema> {
        let mut patch = Object::new();
        patch.description =
            Some("What is to change of a link: `null` clears a field, an absent one stays as it is.".to_owned());
        if let RefOr::T(Schema::Object(new)) = NewLink::schema() {
            let fields = new.properties.into_iter().filter(|(name, _)| Self::FIELDS.contains(&name.as_str()));
            patch.properties = fields.collect();
            // A link is never without a code.
            if let Some(RefOr::T(Schema::Object(code))) = patch.properties.get_mut("customCode") {
                code.schema_type = Type::String.into();
            }
            // What a new link cannot say.
            patch.properties.insert("keepAlias".to_owned(), keep_alias().into());
        }
        patch.into()
    }
}

fn keep_alias() -> Object {
    let mut keep_alias = Object::with_type(SchemaType::from_iter([Type::Boolean, Type::Null]));
    keep_alias.description = Some("Whether it shall be found by the old code too.".to_owned());
    keep_alias
}

impl ToSchema for LinkPatch {}

/// A field that is there is a value or `null`; a field that is not there never comes here.
fn patch<'de, T: Deserialize<'de>, D: Deserializer<'de>>(json: D) -> Result<Patch<T>, D::Error> {
    Ok(Option::deserialize(json)?.map_or(Patch::Clear, Patch::Set))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::read;

    #[test]
    fn null_and_absent_differ() {
        let patch: LinkPatch = read(br#"{"title":null,"active":false}"#).unwrap();
        assert_eq!((patch.title, patch.active, patch.expires_at), (Patch::Clear, Patch::Set(false), Patch::Keep));
    }
}
