//! The target of a link: an absolute http or https URL, kept as the WHATWG URL serialiser writes it.

use std::fmt::{self, Write as _};

use thiserror::Error;
use url::Url;

use crate::{OwnHosts, Suspicion};

/// The longest target, in bytes after serialisation (RFC 9110, section 4.1, asks for at least 8,000).
pub const MAX_LENGTH: usize = 8192;

/// An absolute http or https URL without a user name, printable ASCII, at most 8,192 bytes.
///
/// It is what the WHATWG URL serialiser writes for the text that was given. Percent escapes are never decoded, the query is
/// never taken apart, and the fragment stays.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Target(Box<str>);

/// Why a text is not a target.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TargetError {
    /// Nothing there.
    #[error("a target is an absolute URL such as https://example.com/page; this one is empty")]
    Empty,
    /// No scheme: relative, or `//host/path`.
    #[error(
        "a target is an absolute URL such as https://example.com/page; this one has no scheme, put https:// before it"
    )]
    Relative,
    /// A scheme other than http and https.
    #[error("a target starts with http:// or https://; this one is of another kind")]
    Scheme,
    /// The parser refuses it, for the reason given.
    #[error("this is not a URL that a browser would open ({0}); one that is: https://example.com/page")]
    Invalid(url::ParseError),
    /// `https://https://…`: the parser takes the second scheme for a host.
    #[error("this URL starts with its scheme twice; write it once, as in https://example.com/page")]
    DoubledScheme,
    /// `user:password@host`, which RFC 9110, section 4.2.4, forbids to pass on.
    #[error("a target may not contain a user name or password before the host; leave out everything up to the @")]
    UserInfo,
    /// It leads back to us.
    #[error("a target may not lead to this shortener itself; give the page that the short link shall lead to")]
    OwnHost,
    /// An operator keeps visitors from there.
    #[error("links may not lead there: it is blocked on this installation")]
    Blocked,
    /// A private address, or a name that only a local network knows, where the operator does not want such.
    #[error(
        "links may not lead to private addresses or local names on this installation; give a page that everybody can open"
    )]
    Private,
    /// A provider says that it is harmful. (Its terms want the words "suspected" and "advisory provided by".)
    #[error(
        "links may not lead there: the page is suspected of {}; advisory provided by Google, {}", .0.threat.name(), .0.advisory
    )]
    Suspected(Suspicion),
    /// Too many bytes once serialised.
    #[error("a target has at most {MAX_LENGTH} bytes once written as a URL; this one has {0}")]
    TooLong(usize),
}

impl Target {
    /// Takes a text as a target.
    pub fn parse(text: &str) -> Result<Self, TargetError> {
        Self::of_url(&parse_url(text)?)
    }

    /// Takes a text as a target that does not lead back to us.
    pub fn parse_foreign(text: &str, own: &OwnHosts) -> Result<Self, TargetError> {
        let url = parse_url(text)?;
        let target = Self::of_url(&url)?;
        if own.contain(&url) { Err(TargetError::OwnHost) } else { Ok(target) }
    }

    /// A target that was checked when it was stored.
    pub fn from_stored(text: String) -> Self {
        Self(text.into_boxed_str())
    }

    fn of_url(url: &Url) -> Result<Self, TargetError> {
        if !url.username().is_empty() || url.password().is_some() {
            return Err(TargetError::UserInfo);
        }
        if matches!(url.host_str(), Some("http" | "https")) {
            return Err(TargetError::DoubledScheme);
        }
        match url.as_str().len() {
            length if length > MAX_LENGTH => Err(TargetError::TooLong(length)),
            _ => Ok(Self(url.as_str().into())),
        }
    }

    /// The URL.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// The target with a visitor's query appended: behind the target's own query, before its fragment, and untouched but for bytes
/// that no header field may hold.
pub fn with_query(target: &str, query: &str) -> String {
    let (front, fragment) = target.split_once('#').map_or((target, None), |(front, rest)| (front, Some(rest)));
    let joint = match front.split_once('?') {
        None => "?",
        Some((_, own)) if own.is_empty() || own.ends_with('&') => "",
        Some(_) => "&",
    };
    let mut url = String::with_capacity(target.len() + joint.len() + query.len());
    url.push_str(front);
    url.push_str(joint);
    push_ascii(&mut url, query);
    if let Some(fragment) = fragment {
        url.push('#');
        url.push_str(fragment);
    }
    url
}

/// The target with the rest of a visitor's path appended: behind the target's own path, one slash between the two, before its
/// query. Untouched but for bytes that no header field may hold: no segment is left out and none is joined with another. The host
/// is the target's whatever is appended, for a target has a slash behind it.
pub fn with_path(target: &str, rest: &str) -> String {
    let end = target.find(['?', '#']).unwrap_or(target.len());
    let (path, tail) = target.split_at(end);
    let mut url = String::with_capacity(target.len() + 1 + rest.len());
    url.push_str(path.strip_suffix('/').unwrap_or(path));
    url.push('/');
    push_ascii(&mut url, rest);
    url.push_str(tail);
    url
}

/// Appends `text`, percent-encoding what is not printable ASCII. A `#` cannot be in it: it would have ended it.
fn push_ascii(url: &mut String, text: &str) {
    for byte in text.bytes() {
        if byte.is_ascii_graphic() {
            url.push(char::from(byte));
        } else {
            // Writing into a string cannot fail.
            let _ = write!(url, "%{byte:02X}");
        }
    }
}

fn parse_url(text: &str) -> Result<Url, TargetError> {
    match Url::parse(text) {
        Ok(url) if matches!(url.scheme(), "http" | "https") => Ok(url),
        Ok(_) => Err(TargetError::Scheme),
        Err(_) if text.trim().is_empty() => Err(TargetError::Empty),
        Err(url::ParseError::RelativeUrlWithoutBase) => Err(TargetError::Relative),
        Err(error) => Err(TargetError::Invalid(error)),
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Target {
    /// A target may hold what only its owner should see, so it does not slip into a log by way of `{:?}`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Target({} bytes)", self.0.len())
    }
}

#[cfg(test)]
mod tests;
