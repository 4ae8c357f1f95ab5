//! A checked wish to change a link: a merge patch (RFC 7396), where `null` clears and an absent field keeps.

use crate::code::PRIVATE_LENGTH;
use crate::draft::{self, check_expiry, check_tags};
use crate::field::Problems;
use crate::{
    BaseUrl, CodeOrigin, Expected, FieldError, Link, PasswordHash, RedirectStatus, Rename, Tag, Target, Timestamp,
    Version, click_limit, note, password, title,
};

/// What a merge patch says of one field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Patch<T> {
    /// The field is absent: keep what is there.
    #[default]
    Keep,
    /// The field is `null`: back to unset.
    Clear,
    /// The field has a value.
    Set(T),
}

impl<T> Patch<T> {
    const fn is_keep(&self) -> bool {
        matches!(self, Self::Keep)
    }

    /// Checks a value that is set; `None` when it was bad.
    fn and_check<U>(self, check: impl FnOnce(T) -> Option<U>) -> Option<Patch<U>> {
        match self {
            Self::Keep => Some(Patch::Keep),
            Self::Clear => Some(Patch::Clear),
            Self::Set(value) => check(value).map(Patch::Set),
        }
    }

    /// For a field that always has a value, and this one when it is cleared.
    fn apply_or_reset(self, field: &mut T, unset: T) {
        match self {
            Self::Keep => {}
            Self::Clear => *field = unset,
            Self::Set(value) => *field = value,
        }
    }

    fn apply_to(self, field: &mut Option<T>) {
        match self {
            Self::Keep => {}
            Self::Clear => *field = None,
            Self::Set(value) => *field = Some(value),
        }
    }
}

impl Patch<String> {
    /// The same patch, lent.
    pub fn as_deref(&self) -> Patch<&str> {
        match self {
            Self::Keep => Patch::Keep,
            Self::Clear => Patch::Clear,
            Self::Set(text) => Patch::Set(text),
        }
    }
}

impl Patch<Vec<String>> {
    /// The same patch, lent.
    pub fn as_deref(&self) -> Patch<&[String]> {
        match self {
            Self::Keep => Patch::Keep,
            Self::Clear => Patch::Clear,
            Self::Set(texts) => Patch::Set(texts),
        }
    }
}

/// What a caller sent, unchecked. Names are those of the wire.
#[derive(Debug, Clone, Copy, Default)]
pub struct EditInput<'a> {
    /// `customCode`, another code; cannot be cleared.
    pub custom_code: Patch<&'a str>,
    /// `keepAlias`: whether the old code shall go on.
    pub keep_alias: Option<bool>,
    /// `allowLookalike`: the new code may look like another chosen one.
    pub allow_lookalike: Option<bool>,
    /// `originalUrl`; cannot be cleared.
    pub original_url: Patch<&'a str>,
    /// `expiresAt`.
    pub expires_at: Patch<&'a str>,
    /// `validFrom`.
    pub valid_from: Patch<&'a str>,
    /// `maxClicks`.
    pub max_clicks: Patch<i64>,
    /// `redirectStatus`.
    pub redirect_status: Patch<i64>,
    /// `forwardQuery`.
    pub forward_query: Patch<bool>,
    /// `forwardPath`; clearing it is back to `false`.
    pub forward_path: Patch<bool>,
    /// `expiredUrl`.
    pub expired_url: Patch<&'a str>,
    /// `password`, as it was typed.
    pub password: Patch<&'a str>,
    /// `title`.
    pub title: Patch<&'a str>,
    /// `tags`.
    pub tags: Patch<&'a [String]>,
    /// `note`.
    pub note: Patch<&'a str>,
    /// `active`; clearing it is back to `true`.
    pub active: Patch<bool>,
}

/// A change of a link: every rule that needs no database holds.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Edit {
    target: Option<Target>,
    expires_at: Patch<Timestamp>,
    valid_from: Patch<Timestamp>,
    max_clicks: Patch<u32>,
    redirect_status: Patch<RedirectStatus>,
    forward_query: Patch<bool>,
    forward_path: Patch<bool>,
    expired_url: Patch<Target>,
    password: Patch<PasswordHash>,
    title: Patch<String>,
    tags: Patch<Vec<Tag>>,
    note: Patch<String>,
    active: Patch<bool>,
    rename: Option<Rename>,
    expected: Expected,
}

impl EditInput<'_> {
    /// Whether nothing shall change.
    pub fn is_empty(&self) -> bool {
        let Self {
            custom_code,
            keep_alias,
            allow_lookalike,
            original_url,
            expires_at,
            valid_from,
            max_clicks,
            redirect_status,
            forward_query,
            forward_path,
            expired_url,
            password,
            title,
            tags,
            note,
            active,
        } = self;
        let texts = [custom_code, original_url, expires_at, valid_from, expired_url, password, title, note];
        let flags = [forward_query, forward_path, active];
        let numbers = [max_clicks, redirect_status];
        texts.iter().all(|field| field.is_keep())
            && flags.iter().all(|field| field.is_keep())
            && numbers.iter().all(|field| field.is_keep())
            && tags.is_keep()
            && [keep_alias, allow_lookalike].iter().all(|field| field.is_none())
    }

    /// Checks every field; what is wrong comes back all at once.
    pub fn check(self, base: &BaseUrl, now: Timestamp) -> Result<Edit, Vec<FieldError>> {
        let mut problems = Problems::default();
        let target = match self.original_url {
            Patch::Keep => None,
            Patch::Clear => {
                problems.note("originalUrl", "a link needs a target; leave the field out to keep the one it has");
                None
            }
            Patch::Set(text) => problems.take("originalUrl", Target::parse_foreign(text, base.own_hosts())),
        };
        let expires_at = self.expires_at.and_check(|end| check_expiry(end, now, &mut problems));
        let valid_from = self.valid_from.and_check(|start| problems.take("validFrom", Timestamp::parse(start)));
        let max_clicks = self.max_clicks.and_check(|count| problems.take("maxClicks", click_limit::check(count)));
        let redirect_status =
            self.redirect_status.and_check(|status| problems.take("redirectStatus", RedirectStatus::try_from(status)));
        let expired_url =
            self.expired_url.and_check(|url| problems.take("expiredUrl", Target::parse_foreign(url, base.own_hosts())));
        let password = self.password.and_check(|text| problems.take("password", password::check(text)));
        let title = self.title.and_check(|text| problems.take("title", title::check(text)));
        let tags = self.tags.and_check(|texts| check_tags(texts, &mut problems));
        let note = self.note.and_check(|text| problems.take("note", note::check(text)));
        let rename = self.check_rename(base, &mut problems);
        let edit = Edit {
            target,
            // A field that was bad is noted, and then the edit is not handed out.
            expires_at: expires_at.unwrap_or_default(),
            valid_from: valid_from.unwrap_or_default(),
            max_clicks: max_clicks.unwrap_or_default(),
            redirect_status: redirect_status.unwrap_or_default(),
            forward_query: self.forward_query,
            forward_path: self.forward_path,
            expired_url: expired_url.unwrap_or_default(),
            // A new one is hashed elsewhere.
            password: if password == Some(Patch::Clear) { Patch::Clear } else { Patch::Keep },
            title: title.unwrap_or_default(),
            tags: tags.unwrap_or_default(),
            note: note.unwrap_or_default(),
            active: self.active,
            rename,
            expected: Expected::Any,
        };
        problems.finish(Some(edit))
    }

    fn check_rename(&self, base: &BaseUrl, problems: &mut Problems) -> Option<Rename> {
        let Patch::Set(code) = self.custom_code else {
            for (field, is_sent) in [("keepAlias", self.keep_alias), ("allowLookalike", self.allow_lookalike)] {
                if is_sent == Some(true) {
                    problems.note(field, "it goes with customCode, which is not there");
                }
            }
            if self.custom_code == Patch::Clear {
                problems.note("customCode", "a link needs a code; leave the field out to keep the one it has");
            }
            return None;
        };
        Some(Rename {
            code: draft::check_code(code, base, problems)?,
            keep_alias: self.keep_alias.unwrap_or(false),
            allow_lookalike: self.allow_lookalike.unwrap_or(false),
        })
    }
}

impl Edit {
    /// The same edit, of a link that is in one of these states.
    #[must_use]
    pub fn expecting(self, expected: Expected) -> Self {
        Self { expected, ..self }
    }

    /// The other code that it has for the link.
    pub fn rename(&self) -> Option<&Rename> {
        self.rename.as_ref()
    }

    /// Whether it is meant for a link with this version.
    pub fn expects(&self, version: Version) -> bool {
        self.expected.includes(version)
    }

    /// The same, and the link gets this password.
    #[must_use]
    pub fn with_password(self, password: PasswordHash) -> Self {
        Self { password: Patch::Set(password), ..self }
    }

    /// Everything new that the link shall lead to, by the names of the wire.
    pub fn targets(&self) -> impl Iterator<Item = (&'static str, &Target)> {
        let over = if let Patch::Set(target) = &self.expired_url { Some(("expiredUrl", target)) } else { None };
        self.target.iter().map(|target| ("originalUrl", target)).chain(over)
    }

    /// Changes `link` as wished, at `now`, unless it would then never live. The version is the store's to give.
    pub fn apply_to(self, link: &mut Link, now: Timestamp) -> Result<(), FieldError> {
        if let Some(target) = self.target {
            link.target = target;
        }
        self.expires_at.apply_to(&mut link.expires_at);
        self.valid_from.apply_to(&mut link.valid_from);
        self.max_clicks.apply_to(&mut link.max_clicks);
        self.redirect_status.apply_to(&mut link.redirect_status);
        self.forward_query.apply_to(&mut link.forward_query);
        self.forward_path.apply_or_reset(&mut link.forward_path, false);
        self.expired_url.apply_to(&mut link.expired_url);
        self.password.apply_to(&mut link.password);
        self.title.apply_to(&mut link.title);
        link.title = link.title.take().filter(|title| !title.is_empty());
        self.tags.apply_or_reset(&mut link.tags, Vec::new());
        self.note.apply_to(&mut link.note);
        link.note = link.note.take().filter(|note| !note.is_empty());
        self.active.apply_or_reset(&mut link.active, true);
        if let Some(rename) = self.rename {
            rename.apply_to(link)?;
        }
        link.updated_at = now;
        draft::check_life(link.valid_from, link.expires_at)?;
        check_secrecy(link)
    }
}

/// A private link has a password, or a code that nobody guesses.
fn check_secrecy(link: &Link) -> Result<(), FieldError> {
    let is_secret = link.origin == CodeOrigin::Generated && link.code.as_str().len() >= PRIVATE_LENGTH;
    if link.private && !is_secret && link.password.is_none() {
        return Err(FieldError::new("password", "a private link whose code can be guessed keeps a password"));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
