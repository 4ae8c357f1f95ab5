//! A checked wish to make an API key.

use super::{Caller, Grant, Role};
use crate::draft::check_domain;
use crate::field::Problems;
use crate::{Domains, FieldError, Timestamp};

/// The longest name of a key, in characters.
pub const MAX_NAME_LENGTH: usize = 100;

/// The fields of a new key as they were sent, unchecked. Names are those of the wire.
#[derive(Debug, Clone, Copy, Default)]
pub struct KeyInput<'a> {
    /// `name`, required.
    pub name: Option<&'a str>,
    /// `role`, required.
    pub role: Option<&'a str>,
    /// `ownLinks`; a key has all links of its role unless it says otherwise.
    pub own_links: Option<bool>,
    /// `domain`, by its host; without it a key has the domain of the key that makes it, if that has one.
    pub domain: Option<&'a str>,
    /// `expiresAt`, RFC 3339; without it a key ends with the key that makes it, if that does.
    pub expires_at: Option<&'a str>,
}

/// An API key to be made: every rule that needs no database holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyDraft {
    /// See [`super::ApiKey::name`].
    pub name: String,
    /// What it shall be given.
    pub grant: Grant,
    /// See [`super::ApiKey::expires_at`].
    pub expires_at: Option<Timestamp>,
}

/// Who makes a key, and until when.
#[derive(Debug, Clone, Copy)]
pub struct KeyMaker {
    /// The caller.
    pub caller: Caller,
    /// From when on its own key opens nothing; `None` is never.
    pub expires_at: Option<Timestamp>,
}

impl KeyInput<'_> {
    /// Checks every field; what is wrong comes back all at once. Whether the maker may give so much is not asked here.
    pub fn check(self, maker: KeyMaker, domains: &Domains, now: Timestamp) -> Result<KeyDraft, Vec<FieldError>> {
        let mut problems = Problems::default();
        let name = problems.take("name", check_name(self.name.unwrap_or_default()));
        let role = problems.take("role", read_role(self.role));
        let domain = match self.domain {
            Some(host) => problems.take("domain", check_domain(host, domains)).map(Some),
            None => Some(maker.caller.domain()),
        };
        let own_links = self.own_links.unwrap_or(false);
        let grant = role.zip(domain).map(|(role, domain)| Grant::new(role, own_links, domain));
        let grant = grant.and_then(|grant| problems.take("ownLinks", grant));
        let expires_at = problems.take("expiresAt", check_end(self.expires_at, maker.expires_at, now));
        let draft = match (name, grant, expires_at) {
            (Some(name), Some(grant), Some(expires_at)) => Some(KeyDraft { name, grant, expires_at }),
            _ => None,
        };
        problems.finish(draft)
    }
}

fn check_name(name: &str) -> Result<String, &'static str> {
    if name.trim().is_empty() {
        Err("a key needs a name by which people know it")
    } else if name.chars().count() > MAX_NAME_LENGTH {
        Err("a name has at most 100 characters")
    } else if name.chars().any(char::is_control) {
        Err("a name has no control characters")
    } else {
        Ok(name.to_owned())
    }
}

fn read_role(text: Option<&str>) -> Result<Role, String> {
    let text = text.ok_or_else(|| "it is required: admin, editor, creator or reader".to_owned())?;
    text.parse::<Role>().map_err(|error| error.to_string())
}

/// A key that ends makes none that outlives it, or its end would be none.
fn check_end(text: Option<&str>, of_maker: Option<Timestamp>, now: Timestamp) -> Result<Option<Timestamp>, String> {
    let Some(text) = text else { return Ok(of_maker) };
    let end = Timestamp::parse(text).map_err(|error| error.to_string())?;
    match of_maker {
        _ if end <= now => Err("it must be in the future".to_owned()),
        Some(last) if end > last => {
            Err(format!("the key that makes this one ends at {last}; this one may not outlive it"))
        }
        _ => Ok(Some(end)),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{BaseUrl, DomainId, KeyId};

    const NOW: &str = "2026-11-30T12:00:00Z";
    const SOON: &str = "2026-12-01T00:00:00Z";
    const LATER: &str = "2027-01-01T00:00:00Z";

    fn time(text: &str) -> Timestamp {
        Timestamp::parse(text).unwrap()
    }

    fn admin(domain: Option<DomainId>, end: Option<&str>) -> KeyMaker {
        let grant = Grant::new(Role::Admin, false, domain).unwrap();
        KeyMaker { caller: Caller::Key(KeyId(1), grant), expires_at: end.map(time) }
    }

    fn check(maker: KeyMaker, input: KeyInput<'_>) -> Result<KeyDraft, Vec<String>> {
        let base = Arc::new(BaseUrl::parse("https://hny.example").unwrap());
        let fields = |errors: Vec<FieldError>| errors.into_iter().map(|error| error.field).collect();
        input.check(maker, &Domains::one(base), time(NOW)).map_err(fields)
    }

    fn input(role: &str) -> KeyInput<'_> {
        KeyInput { name: Some("ci ✓"), role: Some(role), ..KeyInput::default() }
    }

    #[test]
    fn a_name_and_a_role_are_enough() {
        for role in Role::ALL {
            let draft = check(admin(None, None), input(role.as_str())).unwrap();
            assert_eq!(draft, KeyDraft { name: "ci ✓".to_owned(), grant: Grant::of(role), expires_at: None });
        }
    }

    #[test]
    fn what_a_key_is_narrowed_to_is_read() {
        let narrowed =
            KeyInput { own_links: Some(true), domain: Some("HNY.example"), expires_at: Some(SOON), ..input("reader") };
        let draft = check(admin(None, None), narrowed).unwrap();
        assert_eq!(draft.grant, Grant::new(Role::Reader, true, Some(DomainId::BASE)).unwrap());
        assert_eq!(draft.expires_at, Some(time(SOON)));
    }

    #[test]
    fn a_key_has_the_domain_and_the_end_of_its_maker() {
        let maker = admin(Some(DomainId(7)), Some(SOON));
        let draft = check(maker, input("editor")).unwrap();
        assert_eq!((draft.grant.domain(), draft.expires_at), (Some(DomainId(7)), Some(time(SOON))));
        let until = |end| check(maker, KeyInput { expires_at: Some(end), ..input("editor") });
        assert!(until(SOON).is_ok());
        assert_eq!(until(LATER).unwrap_err(), ["expiresAt"]);
    }

    #[test]
    fn every_bad_field_is_named_at_once() {
        let maker = admin(None, None);
        assert_eq!(check(maker, KeyInput::default()).unwrap_err(), ["name", "role"]);
        let bad = KeyInput {
            name: Some("a\nb"),
            role: Some("king"),
            own_links: Some(true),
            domain: Some("other.example"),
            expires_at: Some(NOW),
        };
        assert_eq!(check(maker, bad).unwrap_err(), ["name", "role", "domain", "expiresAt"]);
        let own = KeyInput { own_links: Some(true), ..input("admin") };
        assert_eq!(check(maker, own).unwrap_err(), ["ownLinks"]);
        for name in ["", " ", "\u{1b}[31m", &"n".repeat(101)] {
            assert_eq!(check(maker, KeyInput { name: Some(name), ..input("admin") }).unwrap_err(), ["name"]);
        }
        assert!(check(maker, KeyInput { name: Some(&"ñ".repeat(100)), ..input("admin") }).is_ok());
        for end in ["2026-11-30", "2026-12-30T12:00:00", "never", ""] {
            let late = KeyInput { expires_at: Some(end), ..input("admin") };
            assert_eq!(check(maker, late).unwrap_err(), ["expiresAt"], "{end}");
        }
    }
}
