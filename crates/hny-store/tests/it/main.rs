//! The contract, as every engine must keep it, and what is particular to one.
#![expect(clippy::unwrap_used, reason = "a test reports by panicking, also from the functions it calls")]

mod database;

mod abuse;
mod blocks;
mod changes;
mod claims;
mod clicks;
mod close;
mod domains;
mod fields;
mod generation;
mod homes;
mod key;
mod lead;
mod lease;
mod link;
mod list;
mod lookalike;
mod open;
mod postgres;
mod receipt;
mod rename;
mod retention;
mod spool;
mod statistics;
mod visitor_key;
