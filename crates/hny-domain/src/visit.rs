//! What we know of a request for a link.

use crate::Hazard;

/// A request for a link, without anything of HTTP that no rule asks for.
#[derive(Debug, Clone, Copy)]
pub struct Visit<'a> {
    /// What stood behind the code and its slash in the path of the request, byte for byte; `None` is nothing.
    pub rest: Option<&'a str>,
    /// What stood behind the `?` of the request, byte for byte; `None` without a `?`.
    pub query: Option<&'a str>,
    /// Who or what visits.
    pub kind: VisitKind,
    /// Whether the visitor has shown to know the password, if there is one.
    pub is_unlocked: bool,
    /// What became of a click that was claimed for it.
    pub claim: Claim,
    /// What is known against sending the visitor where the link leads.
    pub hazard: Hazard,
}

/// What became of a click that was claimed for a visit, of a link with a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Claim {
    /// None was claimed yet.
    #[default]
    None,
    /// There was one left.
    Granted,
    /// There was none left.
    Refused,
}

/// The name that a proxy gives to a visit: the same one when it sends the visit to another node because the first did not answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VisitId(Box<str>);

impl VisitId {
    /// The longest, in bytes.
    pub const MAX_LENGTH: usize = 64;

    /// Takes a text as a name: 1 to 64 letters, digits and hyphens, as proxies draw them.
    pub fn parse(text: &[u8]) -> Option<Self> {
        let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'-';
        let text = std::str::from_utf8(text).ok()?;
        let is_good = (1..=Self::MAX_LENGTH).contains(&text.len()) && text.as_bytes().iter().all(is_name);
        is_good.then(|| Self(text.into()))
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Who or what visits. Only a person's visits are clicks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum VisitKind {
    /// Somebody who followed the link.
    Person,
    /// A program that says so: a crawler, a preview of a link, a monitor.
    Robot,
    /// A browser that loads what somebody may follow next.
    Prefetch,
    /// A request for the head of the answer only.
    Probe,
}

impl VisitKind {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Person, Self::Robot, Self::Prefetch, Self::Probe];

    /// What it is called on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Person => "person",
            Self::Robot => "robot",
            Self::Prefetch => "prefetch",
            Self::Probe => "probe",
        }
    }

    /// Whether nobody goes where the link leads, but somebody may be told of it.
    pub const fn only_looks(self) -> bool {
        matches!(self, Self::Robot | Self::Probe)
    }

    /// The one that is called so.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_visit_id_is_what_proxies_draw() {
        let long = [b'a'; VisitId::MAX_LENGTH + 1];
        for id in ["a", "5f0c6d8d1b7c4a0e8c1f4f0f9d3e2b1a", "0b7e7dee-87b3-4ac2-8b7a-3f3a5a0f8c11"] {
            assert_eq!(VisitId::parse(id.as_bytes()).unwrap().as_str(), id);
        }
        assert!(VisitId::parse(&long[1..]).is_some());
        for id in [&b""[..], b"a b", b"a,b", b"\xff", &long] {
            assert_eq!(VisitId::parse(id), None, "{id:?}");
        }
    }

    #[test]
    fn every_kind_is_found_by_its_name() {
        for kind in VisitKind::ALL {
            assert_eq!(VisitKind::of_name(kind.name()), Some(kind));
        }
        assert_eq!(VisitKind::of_name("Person"), None);
    }
}
