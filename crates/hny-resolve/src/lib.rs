#![doc = include_str!("../README.md")]

mod allocation;
mod cache;
pub mod clearance;
mod counts;
pub mod found;
mod key;
pub mod resolver;
mod shared;
mod steward;
mod table;

pub use cache::LinkCache;
pub use clearance::Clearance;
pub use found::Found;
pub use key::Key;
pub use resolver::{CacheUse, Cached, Resolver, SharedUse};
