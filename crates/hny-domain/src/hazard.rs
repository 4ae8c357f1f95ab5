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

/// What is known against sending a visitor on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Hazard {
    /// Nothing.
    #[default]
    None,
    /// An operator keeps visitors from there.
    Blocked,
    /// A provider says that this is likely to happen there.
    Suspected(Threat),
}
