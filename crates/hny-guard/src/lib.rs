#![doc = include_str!("../README.md")]

pub mod blocklist;
mod canonical;
mod client;
mod clients;
mod creates;
mod limit;
mod log;
mod proxies;
mod pseudonyms;
mod unknown;
mod window;

pub use blocklist::{
    BlockError, BlockRule, Blocklist, BlocklistFile, BlocklistFiles, Blocks, FileError, PrivateTargets, Refusal,
};
pub use client::Client;
pub use creates::{Creates, Place};
pub use limit::{Limit, TooMany};
pub use proxies::{ProxyError, TrustedProxies};
pub use pseudonyms::Pseudonyms;
pub use unknown::UnknownCodes;

/// What the operator has decided.
#[derive(Debug, Default)]
pub struct Guard {
    /// Whose word about their clients is taken.
    pub proxies: TrustedProxies,
    /// How many links a client without a key may make; `None` is any number.
    pub creates: Option<Creates>,
    /// How many unknown codes a client may ask for; `None` is any number.
    pub unknown: Option<UnknownCodes>,
    /// Where links may not lead.
    pub blocklist: Blocklist,
}
