//! URLs as Safe Browsing writes them: one text for all spellings of what a browser would open.
//!
//! That is not what the WHATWG serialiser writes: escapes are undone however often they were made, and neither user nor port
//! counts. All of it works on bytes, as URLs on lists are no text of any encoding.

use std::borrow::Cow;

mod escapes;
mod host;
mod path;

pub(crate) use host::is_address;

/// A canonical URL in its parts, each written with escapes: printable ASCII.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Canonical {
    /// Lower case.
    pub(crate) scheme: String,
    /// Without user, port, and dots at its ends.
    pub(crate) host: String,
    /// Begins with a slash.
    pub(crate) path: String,
    /// What stood behind the first `?`; it may be empty.
    pub(crate) query: Option<String>,
}

impl Canonical {
    /// Reads a URL; a scheme may be missing. `None` for what names no host.
    pub(crate) fn of(url: &[u8]) -> Option<Self> {
        let trimmed = without_breaks(url.trim_ascii());
        let without_fragment = trimmed.split(|byte| *byte == b'#').next().unwrap_or_default();
        let plain = escapes::undone(without_fragment);
        let (scheme, rest) = split_scheme(&plain)?;
        let end = rest.iter().position(|byte| matches!(byte, b'/' | b'?')).unwrap_or(rest.len());
        let (authority, rest) = rest.split_at(end);
        let host = host::canonical(without_port(without_user(authority)))?;
        let (path, query) = match rest.iter().position(|byte| *byte == b'?') {
            Some(mark) => (&rest[..mark], Some(&rest[mark + 1..])),
            None => (rest, None),
        };
        Some(Self {
            scheme,
            host: escapes::made(host),
            path: escapes::made(path::resolved(path).into_owned()),
            query: query.map(|query| escapes::made(query.to_vec())),
        })
    }
}

/// Without what browsers leave out wherever it stands.
fn without_breaks(url: &[u8]) -> Cow<'_, [u8]> {
    let is_break = |byte: &u8| matches!(byte, b'\t' | b'\r' | b'\n');
    if url.iter().any(is_break) { url.iter().copied().filter(|byte| !is_break(byte)).collect() } else { url.into() }
}

/// The scheme and what stands behind its slashes. Without one it is http, unless something like `mailto:` stands there.
fn split_scheme(url: &[u8]) -> Option<(String, &[u8])> {
    let colon = url.iter().position(|byte| matches!(byte, b':' | b'/' | b'?'));
    let (front, rest) = colon.map_or((url, &b""[..]), |at| url.split_at(at));
    if let Some(rest) = rest.strip_prefix(b"://")
        && is_scheme(front)
    {
        return Some((String::from_utf8_lossy(front).to_ascii_lowercase(), rest));
    }
    // A port is digits; what else follows the first colon is no authority, but for the colons of an address in brackets.
    let is_port = |rest: &[u8]| rest.iter().take_while(|byte| !matches!(byte, b'/' | b'?')).all(u8::is_ascii_digit);
    match rest.strip_prefix(b":") {
        Some(port) if !is_port(port) && !url.starts_with(b"[") => None,
        _ => Some(("http".to_owned(), url)),
    }
}

fn is_scheme(text: &[u8]) -> bool {
    let is_inner = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
    text.first().is_some_and(u8::is_ascii_alphabetic) && text.iter().all(is_inner)
}

fn without_user(authority: &[u8]) -> &[u8] {
    authority.iter().rposition(|byte| *byte == b'@').map_or(authority, |at| &authority[at + 1..])
}

/// A colon within brackets belongs to the address.
fn without_port(authority: &[u8]) -> &[u8] {
    let bracket = authority.iter().position(|byte| *byte == b']').map_or(0, |at| at + 1);
    let end = authority[bracket..].iter().position(|byte| *byte == b':');
    end.map_or(authority, |end| &authority[..bracket + end])
}

#[cfg(test)]
mod tests;
