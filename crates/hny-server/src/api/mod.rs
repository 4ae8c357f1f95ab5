//! The API: a folder per noun, a file per verb.

pub(crate) mod blocks;
pub(crate) mod contract;
mod create_limit;
pub(crate) mod keys;
pub(crate) mod links;
mod making;
mod password;
pub(crate) mod reports;
pub(crate) mod shorten;
pub(crate) mod stats;
