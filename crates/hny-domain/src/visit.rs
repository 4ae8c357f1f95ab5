//! What we know of a request for a link.

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

    /// The one that is called so.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_found_by_its_name() {
        for kind in VisitKind::ALL {
            assert_eq!(VisitKind::of_name(kind.name()), Some(kind));
        }
        assert_eq!(VisitKind::of_name("Person"), None);
    }
}
