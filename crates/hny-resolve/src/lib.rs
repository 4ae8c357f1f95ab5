#![doc = include_str!("../README.md")]

mod allocation;
mod cache;
pub mod found;
mod key;
pub mod resolver;
mod table;

pub use found::Found;
pub use resolver::{CacheUse, Cached, Resolver};
