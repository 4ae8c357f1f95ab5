//! The HTTP status of a redirect.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// One of the four redirects a link may ask for (RFC 9110, section 15.4). 303 is not among them: it is ours to answer a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum RedirectStatus {
    /// 301: browsers may keep it, so it goes out with a short lifetime.
    MovedPermanently,
    /// 302, the default: every click comes to us and an edit is seen at once.
    #[default]
    Found,
    /// 307: like 302, and the method is kept.
    TemporaryRedirect,
    /// 308: like 301, and the method is kept.
    PermanentRedirect,
}

/// The number is not one of the four.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("a redirect status is 301, 302, 307 or 308")]
pub struct RedirectStatusError;

impl RedirectStatus {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::MovedPermanently, Self::Found, Self::TemporaryRedirect, Self::PermanentRedirect];

    /// The number.
    pub const fn as_u16(self) -> u16 {
        match self {
            Self::MovedPermanently => 301,
            Self::Found => 302,
            Self::TemporaryRedirect => 307,
            Self::PermanentRedirect => 308,
        }
    }

    /// Whether a browser may keep the answer (RFC 9110, section 15.1, counts 301 and 308 as cacheable by default).
    pub const fn is_permanent(self) -> bool {
        matches!(self, Self::MovedPermanently | Self::PermanentRedirect)
    }
}

impl TryFrom<i64> for RedirectStatus {
    type Error = RedirectStatusError;

    fn try_from(number: i64) -> Result<Self, RedirectStatusError> {
        match number {
            301 => Ok(Self::MovedPermanently),
            302 => Ok(Self::Found),
            307 => Ok(Self::TemporaryRedirect),
            308 => Ok(Self::PermanentRedirect),
            _ => Err(RedirectStatusError),
        }
    }
}

impl FromStr for RedirectStatus {
    type Err = RedirectStatusError;

    fn from_str(text: &str) -> Result<Self, RedirectStatusError> {
        text.parse::<i64>().map_err(|_| RedirectStatusError)?.try_into()
    }
}

impl fmt::Display for RedirectStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_u16().fmt(f)
    }
}
