//! From what a request shows to what is written: the network is dropped here, and never comes to a disk.

use hny_domain::Timestamp;

use crate::recorder::seen::Seen;
use crate::spool::record::Record;
use crate::visitor::country::Countries;
use crate::visitor::keys::{DayKey, VisitorKeys};

/// What is kept of a visitor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a part that can be switched off by itself")]
pub struct Kept {
    /// By which visitor a click was, on its day.
    pub visitor: bool,
    /// From which country.
    pub country: bool,
    /// From which site.
    pub referrer: bool,
    /// With which browser.
    pub browser: bool,
    /// On which operating system.
    pub os: bool,
    /// On which class of device.
    pub device: bool,
    /// In which language.
    pub language: bool,
}

impl Kept {
    /// Nothing is.
    pub const NOTHING: Self = Self {
        visitor: false,
        country: false,
        referrer: false,
        browser: false,
        os: false,
        device: false,
        language: false,
    };

    /// Everything is.
    pub const ALL: Self =
        Self { visitor: true, country: true, referrer: true, browser: true, os: true, device: true, language: true };

    /// Whether the agent string has to be written.
    const fn needs_agent(self) -> bool {
        self.browser || self.os || self.device
    }
}

/// Who leaves out what shall not be kept.
#[derive(Debug, Clone)]
pub(crate) struct Anonymiser {
    pub(crate) keys: VisitorKeys,
    pub(crate) countries: Countries,
    pub(crate) kept: Kept,
}

impl Anonymiser {
    /// What is written of visits.
    pub(crate) fn records<'a>(&'a self, visits: &'a [Seen]) -> impl Iterator<Item = Record<'a>> {
        let mut key = None;
        visits.iter().map(move |seen| self.record(seen, &mut key))
    }

    fn record<'a>(&self, seen: &'a Seen, key: &mut Option<DayKey>) -> Record<'a> {
        let kept = self.kept;
        Record {
            link: seen.link,
            at: seen.at,
            kind: seen.kind,
            visitor: kept.visitor.then(|| self.key(seen.at, key).visitor(seen.visitor())),
            country: if kept.country { self.countries.of(seen.network()) } else { None },
            agent: if kept.needs_agent() { seen.agent() } else { b"" },
            referrer: if kept.referrer { host(seen.referrer()) } else { b"" },
            language: if kept.language { language(seen.languages()) } else { b"" },
        }
    }

    /// The key of a day: mostly that of the visit before.
    fn key<'a>(&self, at: Timestamp, last: &'a mut Option<DayKey>) -> &'a DayKey {
        let key = last.take().filter(|key| key.is_of(at)).unwrap_or_else(|| self.keys.of_day(at));
        last.insert(key)
    }
}

/// The host of a URL (RFC 3986, section 3.2.2); empty where there is none, or something that is none.
fn host(url: &[u8]) -> &[u8] {
    let Some(scheme) = url.windows(3).position(|bytes| bytes == b"://") else { return b"" };
    let rest = &url[scheme + 3..];
    let authority = until(rest, |byte| matches!(byte, b'/' | b'?' | b'#' | b'\\'));
    let host = authority.rsplit(|&byte| byte == b'@').next().unwrap_or_default();
    let host = if host.starts_with(b"[") {
        host.split_inclusive(|&byte| byte == b']').next().unwrap_or_default()
    } else {
        until(host, |byte| byte == b':')
    };
    let is_host = |&byte: &u8| byte.is_ascii_alphanumeric() || b".-_[:]".contains(&byte);
    if host.len() <= 253 && host.iter().all(is_host) { host } else { b"" }
}

/// The primary subtag of the language asked for first (RFC 9110, section 12.5.4); empty where there is none.
fn language(languages: &[u8]) -> &[u8] {
    let tag = until(languages.trim_ascii_start(), |byte| matches!(byte, b'-' | b'_' | b',' | b';' | b' '));
    // RFC 5646, section 2.1: two or three letters; four to eight are reserved or registered.
    if (2..=8).contains(&tag.len()) && tag.iter().all(u8::is_ascii_alphabetic) { tag } else { b"" }
}

fn until(bytes: &[u8], is_end: impl Fn(u8) -> bool) -> &[u8] {
    &bytes[..bytes.iter().position(|&byte| is_end(byte)).unwrap_or(bytes.len())]
}

#[cfg(test)]
mod tests;
