#![doc = include_str!("../README.md")]

mod cache;
pub mod resolver;

pub use resolver::{CacheUse, Cached, Resolver};

/// A link that was found. Cheap to clone.
pub type Found = std::sync::Arc<hny_domain::Link>;
