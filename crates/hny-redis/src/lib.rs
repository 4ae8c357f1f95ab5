#![doc = include_str!("../README.md")]

pub mod address;
mod breaker;
pub mod client;
mod keeper;
pub mod limit;
pub mod links;
pub mod message;
pub mod prefix;
mod reads;
mod record;
mod session;

pub use address::{Address, AddressError};
pub use client::Redis;
pub use limit::Verdict;
pub use links::{Asked, Known, Links};
pub use message::Message;
pub use prefix::{Prefix, PrefixError};
pub use session::{RunId, Unavailable};
