//! `/api/v1/links`.

mod create;
mod delete;
mod edit;
mod read;

/// Where most links of these tests lead.
const TARGET: &str = "https://example.com/page";
