//! `/api/v1/links`.

mod bulk;
mod clicks;
mod create;
mod delete;
mod edit;
mod etag;
mod list;
mod read;
mod rename;
mod reuse;
mod stats;

/// Where most links of these tests lead.
const TARGET: &str = "https://example.com/page";
