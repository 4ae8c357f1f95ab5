//! `/api`.

mod blocks;
mod idempotency;
mod keys;
mod links;
mod shorten;
mod stats;
