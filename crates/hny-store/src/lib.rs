#![doc = include_str!("../README.md")]

pub mod changes;
pub mod clicks;
pub mod error;
pub mod generation;
pub mod key;
mod known_versions;
pub mod lease;
pub mod link;
mod listeners;
mod own_changes;
mod postgres;
pub mod postgres_url;
mod rights;
mod seen_generation;
pub mod settings;
pub mod spool;
mod sqlite;
mod store;
mod target_hash;

pub use changes::Change;
pub use error::{OpenError, StoreError};
pub use generation::CacheGeneration;
pub use key::{Key, NewKey};
pub use lease::{CodeKeyCheck, NodeGrant, NodeId, NodeLease, NodeWish};
pub use link::{Edition, Insertion, NewLink};
pub use postgres_url::{PostgresUrl, PostgresUrlError};
pub use settings::Settings;
pub use spool::{DatabaseId, SpoolId, SpoolMark, SpoolStep};
pub use store::Store;
