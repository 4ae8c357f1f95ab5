//! How long others may keep an answer. Every answer of the redirect's road says so: RFC 9110, section 15.1, lets caches keep a
//! bare 301, 308, 404 or 410 as long as they like, and an edit or a new link would then not be seen.

use std::time::Duration;

use hny_domain::RedirectStatus;
use http::HeaderValue;

/// How long others may keep an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CachePolicy {
    /// Not at all: every click is counted and every edit is seen.
    NoStore,
    /// In the visitor's own browser, for this long.
    Browser(Duration),
    /// Anywhere, for a day: it is part of the program.
    Asset,
}

/// How long a browser may keep a permanent redirect: long enough to spare a second request, short enough to see an edit.
const PERMANENT: Duration = Duration::from_mins(1);

impl CachePolicy {
    /// The policy of a redirect that holds for `left` at least; `None` has no end.
    pub(crate) fn of_redirect(status: RedirectStatus, left: Option<Duration>) -> Self {
        if status.is_permanent() { Self::permanent(left) } else { Self::NoStore }
    }

    /// The policy of a permanent redirect that holds for `left` at least; `None` has no end.
    fn permanent(left: Option<Duration>) -> Self {
        match left.map_or(PERMANENT, |left| left.min(PERMANENT)) {
            // Whole seconds only, rounded down: a browser must not go on a moment longer than the link.
            lifetime if lifetime < Duration::from_secs(1) => Self::NoStore,
            lifetime => Self::Browser(lifetime),
        }
    }

    /// The value of `Cache-Control`.
    pub(crate) fn header(self) -> HeaderValue {
        match self {
            Self::NoStore => HeaderValue::from_static("private, no-store"),
            Self::Browser(lifetime) => {
                let text = format!("private, max-age={}", lifetime.as_secs());
                // Digits and letters are a header value.
                HeaderValue::try_from(text).unwrap_or(HeaderValue::from_static("private, no-store"))
            }
            Self::Asset => HeaderValue::from_static("public, max-age=86400"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_permanent_redirect_never_outlives_its_link() {
        for (left, header) in [
            (None, "private, max-age=60"),
            (Some(Duration::from_hours(1)), "private, max-age=60"),
            (Some(Duration::from_millis(59_999)), "private, max-age=59"),
            (Some(Duration::from_secs(1)), "private, max-age=1"),
            (Some(Duration::from_millis(999)), "private, no-store"),
            (Some(Duration::ZERO), "private, no-store"),
        ] {
            assert_eq!(CachePolicy::permanent(left).header(), header, "{left:?}");
        }
    }
}
