//! `GET` and `HEAD /{code}`.

mod absence;
mod blocked;
mod changes;
mod expired_url;
mod expiry;
mod head;
mod host;
mod limit;
mod methods;
mod paths;
mod prefix;
mod query;
mod requests;
mod rest;
mod roads;
mod status;

/// Where most links of these tests lead.
const TARGET: &str = "https://example.com/p?a=1#frag";
