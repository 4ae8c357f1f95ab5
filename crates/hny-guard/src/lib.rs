#![doc = include_str!("../README.md")]

mod attempts;
pub mod blocklist;
mod canonical;
mod client;
mod counted;
#[cfg(feature = "fuzzing")]
pub mod fuzzing;
mod limit;
mod log;
mod passwords;
mod places;
mod proxies;
mod pseudonyms;
mod records;
pub mod safe_browsing;
mod tokens;
mod unknown;
mod window;

pub use attempts::{Attempt, Attempts};
pub use blocklist::{
    BlockError, BlockRule, Blocklist, BlocklistFile, BlocklistFiles, Blocks, FileError, PrivateTargets, Refusal,
};
pub use client::Client;
pub use counted::Counted;
pub use limit::{Limit, TooMany};
pub use passwords::{PasswordError, Passwords};
pub use places::{Creates, Place, Places};
pub use proxies::{ProxyError, TrustedProxies};
pub use pseudonyms::Pseudonyms;
pub use safe_browsing::{LookUps, Provider, SafeBrowsing, Service, Standing, Verdict};
pub use tokens::Token;
pub use unknown::UnknownCodes;

/// What the operator has decided.
#[derive(Debug)]
pub struct Guard {
    /// Whose word about their clients is taken.
    pub proxies: TrustedProxies,
    /// How many links a client without a key may make; `None` is any number.
    pub creates: Option<Creates>,
    /// How many unknown codes a client may ask for; `None` is any number.
    pub unknown: Option<UnknownCodes>,
    /// Hashes and checks passwords of links.
    pub passwords: Passwords,
    /// How often they may be tried.
    pub attempts: Attempts,
    /// How many reports of abuse a client may send; `None` is any number.
    pub reports: Option<Places<Client>>,
    /// Where links may not lead.
    pub blocklist: Blocklist,
    /// Who is asked whether a page is harmful; `None` is nobody.
    pub safe_browsing: Option<SafeBrowsing>,
}
