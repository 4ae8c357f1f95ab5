//! A checked wish to make a link.

use crate::field::Problems;
use crate::{
    BaseUrl, Code, DomainId, Domains, FieldError, PasswordHash, RedirectStatus, Tag, Target, Timestamp, click_limit,
    note, password, reserved, title,
};

/// What a caller sent, unchecked. Names are those of the wire.
#[derive(Debug, Clone, Copy, Default)]
pub struct DraftInput<'a> {
    /// `originalUrl`, required.
    pub original_url: Option<&'a str>,
    /// `customCode`.
    pub custom_code: Option<&'a str>,
    /// `domain`, by its name; unless it says otherwise a link is on that of the base URL.
    pub domain: Option<&'a str>,
    /// `expiresAt`, RFC 3339.
    pub expires_at: Option<&'a str>,
    /// `validFrom`, RFC 3339.
    pub valid_from: Option<&'a str>,
    /// `maxClicks`.
    pub max_clicks: Option<i64>,
    /// `redirectStatus`.
    pub redirect_status: Option<i64>,
    /// `forwardQuery`.
    pub forward_query: Option<bool>,
    /// `forwardPath`.
    pub forward_path: Option<bool>,
    /// `expiredUrl`.
    pub expired_url: Option<&'a str>,
    /// `password`, as it was typed.
    pub password: Option<&'a str>,
    /// `title`.
    pub title: Option<&'a str>,
    /// `tags`.
    pub tags: Option<&'a [String]>,
    /// `note`.
    pub note: Option<&'a str>,
    /// `active`; a link is active unless it says otherwise.
    pub active: Option<bool>,
    /// `private`: a code that nobody can guess.
    pub private: Option<bool>,
    /// `allowLookalike`: the chosen code may look like another chosen one.
    pub allow_lookalike: Option<bool>,
    /// `reuse`: a link of the caller's that is as good will do.
    pub reuse: Option<bool>,
}

/// A link to be made: every rule that needs no database holds.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a field of its own that callers set")]
pub struct Draft {
    /// Where it shall lead.
    pub target: Target,
    /// The domain it shall live on.
    pub domain: DomainId,
    /// The chosen code; `None` draws one.
    pub code: Option<Code>,
    /// See [`crate::Link::expires_at`].
    pub expires_at: Option<Timestamp>,
    /// See [`crate::Link::valid_from`].
    pub valid_from: Option<Timestamp>,
    /// See [`crate::Link::max_clicks`].
    pub max_clicks: Option<u32>,
    /// See [`crate::Link::redirect_status`].
    pub redirect_status: Option<RedirectStatus>,
    /// See [`crate::Link::forward_query`].
    pub forward_query: Option<bool>,
    /// See [`crate::Link::forward_path`].
    pub forward_path: bool,
    /// See [`crate::Link::expired_url`].
    pub expired_url: Option<Target>,
    /// See [`crate::Link::password`]. Nothing that is checked here makes one: it is hashed elsewhere.
    pub password: Option<PasswordHash>,
    /// See [`crate::Link::title`].
    pub title: Option<String>,
    /// See [`crate::Link::tags`].
    pub tags: Vec<Tag>,
    /// See [`crate::Link::note`].
    pub note: Option<String>,
    /// See [`crate::Link::active`].
    pub active: bool,
    /// See [`crate::Link::private`].
    pub private: bool,
    /// Whether a chosen code may differ from another chosen one only in `0`/`O` or `1`/`l`/`I`.
    pub allow_lookalike: bool,
    /// Whether a live link of the same owner to the same target will do, if there is one. Then the words are for a new one only.
    pub reuse: bool,
}

impl Draft {
    /// A link that has nothing but its target.
    pub const fn plain(target: Target) -> Self {
        Self {
            target,
            domain: DomainId::BASE,
            code: None,
            expires_at: None,
            valid_from: None,
            max_clicks: None,
            redirect_status: None,
            forward_query: None,
            forward_path: false,
            expired_url: None,
            password: None,
            title: None,
            tags: Vec::new(),
            note: None,
            active: true,
            private: false,
            allow_lookalike: false,
            reuse: false,
        }
    }

    /// Whether the link shall have nothing but its target: then one link of the same owner and domain is as good as another.
    pub fn is_plain(&self) -> bool {
        let Self { allow_lookalike, domain, reuse, .. } = *self;
        *self == Self { domain, allow_lookalike, reuse, ..Self::plain(self.target.clone()) }
    }
}

impl Draft {
    /// Whether it is nobody's business where the link shall lead.
    pub fn is_secret(&self) -> bool {
        self.private || self.password.is_some()
    }

    /// Everything the link shall lead to, by the names of the wire.
    pub fn targets(&self) -> impl Iterator<Item = (&'static str, &Target)> {
        let over = self.expired_url.iter().map(|target| ("expiredUrl", target));
        [("originalUrl", &self.target)].into_iter().chain(over)
    }
}

impl DraftInput<'_> {
    /// The fields that were set and that a caller without a key may not set.
    pub fn fields_that_need_a_key(&self) -> Vec<&'static str> {
        let fields = [
            ("domain", self.domain.is_some()),
            ("validFrom", self.valid_from.is_some()),
            ("maxClicks", self.max_clicks.is_some()),
            ("forwardQuery", self.forward_query.is_some()),
            ("forwardPath", self.forward_path.is_some()),
            ("expiredUrl", self.expired_url.is_some()),
            ("password", self.password.is_some()),
            ("tags", self.tags.is_some()),
            ("note", self.note.is_some()),
            ("active", self.active.is_some()),
            ("private", self.private.is_some()),
            ("allowLookalike", self.allow_lookalike.is_some()),
            ("reuse", self.reuse.is_some()),
        ];
        fields.into_iter().filter_map(|(field, is_set)| is_set.then_some(field)).collect()
    }

    /// The fields that were set and that decide where and whether a link leads. One that is there already may be otherwise.
    fn fields_of_a_new_link(&self) -> Vec<&'static str> {
        let fields = [
            ("customCode", self.custom_code.is_some()),
            ("expiresAt", self.expires_at.is_some()),
            ("validFrom", self.valid_from.is_some()),
            ("maxClicks", self.max_clicks.is_some()),
            ("redirectStatus", self.redirect_status.is_some()),
            ("forwardQuery", self.forward_query.is_some()),
            ("forwardPath", self.forward_path.is_some()),
            ("expiredUrl", self.expired_url.is_some()),
            ("password", self.password.is_some()),
            ("active", self.active.is_some()),
            ("private", self.private.is_some()),
        ];
        fields.into_iter().filter_map(|(field, is_set)| is_set.then_some(field)).collect()
    }

    /// Checks every field; what is wrong comes back all at once.
    pub fn check(self, domains: &Domains, now: Timestamp) -> Result<Draft, Vec<FieldError>> {
        let base = &**domains.base();
        let mut problems = Problems::default();
        let target = check_target(self.original_url, base, &mut problems);
        let code = self.custom_code.and_then(|code| check_code(code, base, &mut problems));
        let domain =
            self.domain.map_or(Some(DomainId::BASE), |name| problems.take("domain", check_domain(name, domains)));
        let expires_at = self.expires_at.and_then(|end| check_expiry(end, now, &mut problems));
        let valid_from = self.valid_from.and_then(|start| problems.take("validFrom", Timestamp::parse(start)));
        if let Err(FieldError { field, detail }) = check_life(valid_from, expires_at) {
            problems.note(&field, detail);
        }
        let private = self.private.unwrap_or(false);
        if private && self.custom_code.is_some() && self.password.is_none() {
            let detail =
                "the code of a private link is drawn, so that nobody can guess it; leave it out, or set a password";
            problems.note("customCode", detail);
        }
        let max_clicks = self.max_clicks.and_then(|count| problems.take("maxClicks", click_limit::check(count)));
        let redirect_status = self.redirect_status.map(RedirectStatus::try_from);
        let redirect_status = redirect_status.and_then(|status| problems.take("redirectStatus", status));
        let expired_url =
            self.expired_url.and_then(|url| problems.take("expiredUrl", Target::parse_foreign(url, base.own_hosts())));
        self.password.and_then(|text| problems.take("password", password::check(text)));
        let title = self.title.and_then(|text| problems.take("title", title::check(text)));
        let tags = self.tags.and_then(|texts| check_tags(texts, &mut problems));
        let note = self.note.and_then(|text| problems.take("note", note::check(text)));
        self.check_reuse(&mut problems);
        let draft = target.map(|target| Draft {
            target,
            domain: domain.unwrap_or(DomainId::BASE),
            code,
            expires_at,
            valid_from,
            max_clicks,
            redirect_status,
            forward_query: self.forward_query,
            forward_path: self.forward_path.unwrap_or(false),
            expired_url,
            password: None,
            title: title.filter(|title| !title.is_empty()),
            tags: tags.unwrap_or_default(),
            note: note.filter(|note| !note.is_empty()),
            active: self.active.unwrap_or(true),
            private,
            allow_lookalike: self.allow_lookalike.unwrap_or(false),
            reuse: self.reuse.unwrap_or(false),
        });
        problems.finish(draft)
    }

    fn check_reuse(&self, problems: &mut Problems) {
        let fields = self.fields_of_a_new_link();
        if self.reuse == Some(true) && !fields.is_empty() {
            let detail =
                format_args!("a link that is there may be otherwise; leave out {}, or this", fields.join(", "));
            problems.note("reuse", detail);
        }
    }
}

fn check_target(text: Option<&str>, base: &BaseUrl, problems: &mut Problems) -> Option<Target> {
    let Some(text) = text else {
        problems.note("originalUrl", "it is required: the URL to shorten, such as https://example.com/page");
        return None;
    };
    problems.take("originalUrl", Target::parse_foreign(text, base.own_hosts()))
}

pub(crate) fn check_code(text: &str, base: &BaseUrl, problems: &mut Problems) -> Option<Code> {
    if reserved::is_reserved(text) || base.hides(text) {
        problems.note("customCode", "this word is reserved; choose another");
        return None;
    }
    problems.take("customCode", Code::parse(text))
}

/// The domain that a caller names.
pub fn check_domain(name: &str, domains: &Domains) -> Result<DomainId, String> {
    domains.named(name).ok_or_else(|| format!("there is no such domain here; there is {domains}"))
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

/// Reads tags; one that is wrong is named by its place.
pub(crate) fn check_tags(texts: &[String], problems: &mut Problems) -> Option<Vec<Tag>> {
    match Tag::parse_all(texts) {
        Ok(tags) => Some(tags),
        Err((number, error)) => {
            let field = number.map_or_else(|| "tags".to_owned(), |number| format!("tags[{number}]"));
            problems.note(&field, error);
            None
        }
    }
}

#[cfg(test)]
mod tests;
