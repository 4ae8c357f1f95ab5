#![doc = include_str!("../README.md")]

pub mod changes;
pub mod clicks;
pub mod error;
pub mod key;
pub mod lease;
pub mod link;
pub mod settings;
mod sqlite;
mod store;
mod target_hash;

pub use changes::Change;
pub use error::{OpenError, StoreError};
pub use key::{Key, NewKey};
pub use lease::{CodeKeyCheck, NodeGrant, NodeId, NodeLease, NodeWish};
pub use link::{Edition, Insertion, NewLink};
pub use settings::Settings;
pub use store::Store;
