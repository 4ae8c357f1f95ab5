//! What nodes tell each other.

use std::fmt;
use std::sync::{PoisonError, RwLock};

use hny_domain::{Code, DomainId, Version};

/// A code has changed. It may come late, twice or never: it only makes quicker what every node finds out by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// The domain of the link.
    pub domain: DomainId,
    /// Its code.
    pub code: Code,
    /// The version that the change took.
    pub version: Version,
}

impl Message {
    /// Reads what was published. Others may publish there too, or a later version of us: what is not understood is nothing.
    pub(crate) fn parse(text: &[u8]) -> Option<Self> {
        let mut words = std::str::from_utf8(text).ok()?.split(' ');
        let (domain, code, version) = (words.next()?, words.next()?, words.next()?);
        Some(Self {
            domain: DomainId(domain.parse().ok()?),
            code: Code::parse(code).ok()?,
            version: Version(version.parse().ok()?),
        })
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.domain.0, self.code, self.version)
    }
}

type Listener = Box<dyn Fn(&Message) + Send + Sync>;

/// Who wants to hear of changes.
#[derive(Default)]
pub(crate) struct Listeners(RwLock<Vec<Listener>>);

impl Listeners {
    pub(crate) fn add(&self, listener: Listener) {
        self.0.write().unwrap_or_else(PoisonError::into_inner).push(listener);
    }

    pub(crate) fn call(&self, message: &Message) {
        for listener in self.0.read().unwrap_or_else(PoisonError::into_inner).iter() {
            listener(message);
        }
    }
}

impl fmt::Debug for Listeners {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Listeners").finish_non_exhaustive()
    }
}

#[test]
fn only_what_we_wrote_is_understood() {
    let message = Message { domain: DomainId(3), code: Code::parse("aB-_9").unwrap(), version: Version(u64::MAX) };
    assert_eq!(Message::parse(message.to_string().as_bytes()), Some(message));
    for text in ["", "0", "0 abc", "0 a/b 1", "x abc 1", "0 abc -1", "0  abc 1"] {
        assert_eq!(Message::parse(text.as_bytes()), None, "{text:?}");
    }
    assert_eq!(Message::parse(b"0 \xff 1"), None);
}
