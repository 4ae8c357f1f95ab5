//! `POST /api/shorten`.

mod answer;
mod body;
mod codes;
mod expiry;
mod fields;
mod rights;

/// Where the links of these tests lead.
const TARGET: &str = "https://example.com/page";
