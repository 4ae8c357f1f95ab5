//! `/api`.

mod keys;
mod links;
mod shorten;
mod stats;
