#![doc = include_str!("../README.md")]

mod cache;
pub mod resolver;

pub use resolver::{CacheUse, Cached, Resolver};
