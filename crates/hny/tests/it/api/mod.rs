//! `/api`.

mod keys;
mod links;
mod shorten;
