//! `GET` and `HEAD /{code}`.

mod absence;
mod changes;
mod expiry;
mod head;
mod host;
mod methods;
mod paths;
mod prefix;
mod query;
mod requests;
mod roads;
mod status;

/// Where most links of these tests lead.
const TARGET: &str = "https://example.com/p?a=1#frag";
