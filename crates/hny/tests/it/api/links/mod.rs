//! `/api/v1/links`.

mod clicks;
mod create;
mod delete;
mod edit;
mod read;
mod stats;

/// Where most links of these tests lead.
const TARGET: &str = "https://example.com/page";
