//! The recorded fact that a link was followed, and what is kept of it.

use std::sync::Arc;

use crate::{LinkId, Timestamp, VisitKind};

/// A click, as it is kept: of the visitor nothing by which a person could be found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Click {
    /// Which click: the same whenever it is handed over again, and no other has it.
    pub id: ClickId,
    /// Which link was followed.
    pub link: LinkId,
    /// When.
    pub at: Timestamp,
    /// By whom. Only those by a person are counted as clicks; the others are counted apart.
    pub kind: VisitKind,
    /// By which visitor; `None` where that is not kept.
    pub visitor: Option<VisitorId>,
    /// What is known of the visitor.
    pub traits: Traits,
}

/// The number of a click.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClickId(pub u64);

/// A keyed hash of a visitor's address and agent, with a key of the day: clicks of a visitor on one day have the same, and
/// nobody can tell whose it is, nor tie one day to another, when the key is gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VisitorId(pub u64);

/// What is known of a visitor. `None` is unknown, or not kept. Texts are shared: there are few different ones.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Traits {
    /// The country's two letters (ISO 3166-1), in capitals.
    pub country: Option<Arc<str>>,
    /// The host of the page that led here, in small letters, at most 253 bytes.
    pub referrer: Option<Arc<str>>,
    /// The browser's name.
    pub browser: Option<Arc<str>>,
    /// The name of the operating system.
    pub os: Option<Arc<str>>,
    /// `desktop`, `mobile`, `tablet` or another class.
    pub device: Option<Arc<str>>,
    /// The language asked for first: its primary subtag (RFC 5646), in small letters.
    pub language: Option<Arc<str>>,
}

/// By what clicks can be grouped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Dimension {
    /// [`Traits::country`].
    Country,
    /// [`Traits::referrer`].
    Referrer,
    /// [`Traits::browser`].
    Browser,
    /// [`Traits::os`].
    Os,
    /// [`Traits::device`].
    Device,
    /// [`Traits::language`].
    Language,
    /// [`Click::kind`].
    Kind,
}

impl Dimension {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::Country, Self::Referrer, Self::Browser, Self::Os, Self::Device, Self::Language, Self::Kind];

    /// What it is called on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Country => "country",
            Self::Referrer => "referrer",
            Self::Browser => "browser",
            Self::Os => "os",
            Self::Device => "device",
            Self::Language => "language",
            Self::Kind => "kind",
        }
    }

    /// The one that is called so.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|dimension| dimension.name() == name)
    }
}

impl Click {
    /// What this click says in a dimension.
    pub fn value(&self, dimension: Dimension) -> Option<&str> {
        let traits = &self.traits;
        match dimension {
            Dimension::Country => traits.country.as_deref(),
            Dimension::Referrer => traits.referrer.as_deref(),
            Dimension::Browser => traits.browser.as_deref(),
            Dimension::Os => traits.os.as_deref(),
            Dimension::Device => traits.device.as_deref(),
            Dimension::Language => traits.language.as_deref(),
            Dimension::Kind => Some(self.kind.name()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_dimension_is_found_by_its_name() {
        for dimension in Dimension::ALL {
            assert_eq!(Dimension::of_name(dimension.name()), Some(dimension));
        }
        assert_eq!((Dimension::of_name("Country"), Dimension::of_name("")), (None, None));
    }
}
