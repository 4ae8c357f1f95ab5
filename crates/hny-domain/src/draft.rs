//! A checked wish to make a link.

use crate::field::Problems;
use crate::{BaseUrl, Code, FieldError, RedirectStatus, Target, Timestamp, reserved, title};

/// What a caller sent, unchecked. Names are those of the wire.
#[derive(Debug, Clone, Copy, Default)]
pub struct DraftInput<'a> {
    /// `originalUrl`, required.
    pub original_url: Option<&'a str>,
    /// `customCode`.
    pub custom_code: Option<&'a str>,
    /// `domain`; there is one, that of the base URL.
    pub domain: Option<&'a str>,
    /// `expiresAt`, RFC 3339.
    pub expires_at: Option<&'a str>,
    /// `validFrom`, RFC 3339.
    pub valid_from: Option<&'a str>,
    /// `redirectStatus`.
    pub redirect_status: Option<i64>,
    /// `forwardQuery`.
    pub forward_query: Option<bool>,
    /// `title`.
    pub title: Option<&'a str>,
    /// `active`; a link is active unless it says otherwise.
    pub active: Option<bool>,
    /// `private`: a code that nobody can guess.
    pub private: Option<bool>,
    /// `allowLookalike`: the chosen code may look like another chosen one.
    pub allow_lookalike: Option<bool>,
}

/// A link to be made: every rule that needs no database holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    /// Where it shall lead.
    pub target: Target,
    /// The chosen code; `None` draws one.
    pub code: Option<Code>,
    /// See [`crate::Link::expires_at`].
    pub expires_at: Option<Timestamp>,
    /// See [`crate::Link::valid_from`].
    pub valid_from: Option<Timestamp>,
    /// See [`crate::Link::redirect_status`].
    pub redirect_status: Option<RedirectStatus>,
    /// See [`crate::Link::forward_query`].
    pub forward_query: Option<bool>,
    /// See [`crate::Link::title`].
    pub title: Option<String>,
    /// See [`crate::Link::active`].
    pub active: bool,
    /// See [`crate::Link::private`].
    pub private: bool,
    /// Whether a chosen code may differ from another chosen one only in `0`/`O` or `1`/`l`/`I`.
    pub allow_lookalike: bool,
}

impl Draft {
    /// Whether the link shall have nothing but its target: then one link of the same owner is as good as another.
    pub fn is_plain(&self) -> bool {
        let Self {
            target: _,
            code,
            expires_at,
            valid_from,
            redirect_status,
            forward_query,
            title,
            active,
            private,
            ..
        } = self;
        *active
            && !private
            && code.is_none()
            && expires_at.is_none()
            && valid_from.is_none()
            && redirect_status.is_none()
            && forward_query.is_none()
            && title.is_none()
    }
}

impl DraftInput<'_> {
    /// The fields that were set and that a caller without a key may not set.
    pub fn fields_that_need_a_key(&self) -> Vec<&'static str> {
        let fields = [
            ("domain", self.domain.is_some()),
            ("validFrom", self.valid_from.is_some()),
            ("forwardQuery", self.forward_query.is_some()),
            ("active", self.active.is_some()),
            ("private", self.private.is_some()),
            ("allowLookalike", self.allow_lookalike.is_some()),
        ];
        fields.into_iter().filter_map(|(field, is_set)| is_set.then_some(field)).collect()
    }

    /// Checks every field; what is wrong comes back all at once.
    pub fn check(self, base: &BaseUrl, now: Timestamp) -> Result<Draft, Vec<FieldError>> {
        let mut problems = Problems::default();
        let target = check_target(self.original_url, base, &mut problems);
        let code = self.custom_code.and_then(|code| check_code(code, base, &mut problems));
        if self.domain.is_some_and(|domain| !domain.eq_ignore_ascii_case(base.domain())) {
            problems.note("domain", format_args!("this installation has one domain, {}", base.domain()));
        }
        let expires_at = self.expires_at.and_then(|end| check_expiry(end, now, &mut problems));
        let valid_from = self.valid_from.and_then(|start| problems.take("validFrom", Timestamp::parse(start)));
        if let Err(FieldError { field, detail }) = check_life(valid_from, expires_at) {
            problems.note(&field, detail);
        }
        let private = self.private.unwrap_or(false);
        if private && self.custom_code.is_some() {
            problems
                .note("customCode", "the code of a private link is drawn, so that nobody can guess it; leave it out");
        }
        let redirect_status = self.redirect_status.map(RedirectStatus::try_from);
        let redirect_status = redirect_status.and_then(|status| problems.take("redirectStatus", status));
        let title = self.title.and_then(|text| problems.take("title", title::check(text)));
        let draft = target.map(|target| Draft {
            target,
            code,
            expires_at,
            valid_from,
            redirect_status,
            forward_query: self.forward_query,
            title: title.filter(|title| !title.is_empty()),
            active: self.active.unwrap_or(true),
            private,
            allow_lookalike: self.allow_lookalike.unwrap_or(false),
        });
        problems.finish(draft)
    }
}

fn check_target(text: Option<&str>, base: &BaseUrl, problems: &mut Problems) -> Option<Target> {
    let Some(text) = text else {
        problems.note("originalUrl", "it is required: the URL to shorten, such as https://example.com/page");
        return None;
    };
    problems.take("originalUrl", Target::parse_foreign(text, base.own_hosts()))
}

fn check_code(text: &str, base: &BaseUrl, problems: &mut Problems) -> Option<Code> {
    if reserved::is_reserved(text) || base.hides(text) {
        problems.note("customCode", "this word is reserved; choose another");
        return None;
    }
    problems.take("customCode", Code::parse(text))
}

/// A link must live for some time.
pub(crate) fn check_life(start: Option<Timestamp>, end: Option<Timestamp>) -> Result<(), FieldError> {
    match (start, end) {
        (Some(start), Some(end)) if start >= end => Err(FieldError::new("validFrom", "it must be before expiresAt")),
        _ => Ok(()),
    }
}

/// Reads an expiry, which must lie ahead.
pub(crate) fn check_expiry(text: &str, now: Timestamp, problems: &mut Problems) -> Option<Timestamp> {
    let end = problems.take("expiresAt", Timestamp::parse(text))?;
    if end <= now {
        problems.note("expiresAt", "it must be in the future");
        return None;
    }
    Some(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: &str = "2026-11-30T12:00:00Z";

    fn check(input: DraftInput<'_>) -> Result<Draft, Vec<String>> {
        let base = BaseUrl::parse("https://hny.example/go").unwrap();
        let fields = |errors: Vec<FieldError>| errors.into_iter().map(|error| error.field).collect();
        input.check(&base, Timestamp::parse(NOW).unwrap()).map_err(fields)
    }

    #[test]
    fn a_url_is_enough() {
        let draft = check(DraftInput { original_url: Some("https://example.com"), ..DraftInput::default() }).unwrap();
        assert_eq!(draft.target.as_str(), "https://example.com/");
        assert!(draft.active && draft.code.is_none() && draft.expires_at.is_none());
    }

    #[test]
    fn every_bad_field_is_named_at_once() {
        let input = DraftInput {
            original_url: Some("https://hny.example/abc"),
            custom_code: Some("no/slash"),
            domain: Some("other.example"),
            expires_at: Some(NOW),
            valid_from: Some("2026-11-30T12:00:00"),
            redirect_status: Some(303),
            title: Some("a\0b"),
            ..DraftInput::default()
        };
        let fields = ["originalUrl", "customCode", "domain", "expiresAt", "validFrom", "redirectStatus", "title"];
        let found = check(input).unwrap_err();
        assert_eq!(found.len(), fields.len());
        assert!(fields.iter().all(|field| found.iter().any(|name| name == field)), "{found:?}");
    }

    #[test]
    fn a_link_must_live_for_some_time() {
        let input = DraftInput {
            original_url: Some("https://example.com"),
            valid_from: Some("2027-01-01T00:00:00Z"),
            expires_at: Some("2027-01-01T00:00:00Z"),
            ..DraftInput::default()
        };
        assert_eq!(check(input).unwrap_err(), ["validFrom"]);
    }

    #[test]
    fn reserved_words_are_refused_in_any_case() {
        for word in ["api", "API", "HealthZ", "login", "go"] {
            let input = DraftInput {
                original_url: Some("https://example.com"),
                custom_code: Some(word),
                ..DraftInput::default()
            };
            assert_eq!(check(input).unwrap_err(), ["customCode"], "{word}");
        }
    }
}
