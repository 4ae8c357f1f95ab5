//! `/api`.

mod idempotency;
mod keys;
mod links;
mod shorten;
mod stats;
