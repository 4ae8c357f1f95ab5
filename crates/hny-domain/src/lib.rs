#![doc = include_str!("../README.md")]

pub mod access;
pub mod base_url;
pub mod click;
pub mod clock;
pub mod code;
pub mod decision;
pub mod draft;
pub mod edit;
pub mod field;
pub mod lead;
pub mod link;
pub mod own_hosts;
pub mod redirect_status;
pub mod reserved;
pub mod target;
pub mod timestamp;
pub mod title;
pub mod version;
pub mod visit;

pub use access::{Caller, KeyId, Role};
pub use base_url::{BaseUrl, BaseUrlError};
pub use click::Click;
pub use clock::Clock;
pub use code::{Code, CodeError};
pub use decision::{Decision, Defaults, decide};
pub use draft::{Draft, DraftInput};
pub use edit::{Edit, EditInput, Patch};
pub use field::FieldError;
pub use lead::{Lead, Rules};
pub use link::{CodeOrigin, DomainId, Link, LinkId, LinkState};
pub use own_hosts::OwnHosts;
pub use redirect_status::RedirectStatus;
pub use target::{Target, TargetError};
pub use timestamp::{Timestamp, TimestampError};
pub use version::Version;
pub use visit::Visit;
