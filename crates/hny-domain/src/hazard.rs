//! What is known against sending a visitor on.

/// A kind of harm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Threat {
    /// It spreads harmful programs.
    Malware,
    /// It pretends to be what it is not, to get at passwords and the like.
    SocialEngineering,
    /// It spreads programs that are not what they seem.
    UnwantedSoftware,
    /// It spreads harmful programs for telephones.
    HarmfulApplication,
}

impl Threat {
    /// What it is suspected of, for those who are told.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Malware => "malware",
            Self::SocialEngineering => "phishing or another deception",
            Self::UnwantedSoftware => "unwanted software",
            Self::HarmfulApplication => "harmful applications",
        }
    }
}

/// That a provider suspects a page. Its terms have everybody who is told of it told by whom it is, so that goes along with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Suspicion {
    /// Of what.
    pub threat: Threat,
    /// The URL of the page on which the provider says how far its word can be trusted.
    pub advisory: &'static str,
}

/// What is known against sending a visitor on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Hazard {
    /// Nothing.
    #[default]
    None,
    /// An operator keeps visitors from there.
    Blocked,
    /// A provider says that this is likely to happen there.
    Suspected(Suspicion),
}
