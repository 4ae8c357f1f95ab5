//! The settings, in two steps: [`Written`] is what flags, environment and file said, [`Config`] is what holds.
//!
//! Everything there is to set is one row of the table in [`settings`]. All problems are found at once, each is named as
//! its author wrote it, and no message shows a secret. Nothing reads a setting after the start: parts get the values they need.

mod access;
mod base_url;
mod blocking;
mod clickhouse;
mod clicks;
mod codes;
mod database;
mod environment;
mod example;
mod file;
mod http;
mod links;
mod log;
mod problem;
mod reader;
mod redact;
mod redis;
mod safe_browsing;
mod show;
mod store;
mod units;
mod value;
mod visitors;
mod written;

pub mod setting;
pub mod settings;

pub use access::Access;
pub use base_url::BaseUrl;
pub use blocking::Blocking;
pub use clickhouse::ClickHouse;
pub use clicks::{Clicks, Spool};
pub use codes::{CodeKey, Codes, UnluckyWords};
pub use database::Database;
pub use example::Example;
pub use http::Http;
pub use links::Links;
pub use log::{Log, LogFormat};
pub use problem::{Check, Problem, Problems};
pub use redis::Redis;
pub use safe_browsing::SafeBrowsing;
pub use show::{Shown, ShownSetting};
pub use store::Store;
pub use visitors::{Retention, Visitors};
pub use written::{Flags, Sources, Written};

use hny_server::Role;
use reader::Reader;

/// Everything that can be set, checked and complete.
#[derive(Debug, Clone, PartialEq)]
pub struct Config {
    /// Where and how requests are answered.
    pub http: Http,
    /// Where links are kept.
    pub store: Store,
    /// What nodes share.
    pub redis: Redis,
    /// What links are like, and who may make them.
    pub links: Links,
    /// Who may do how much.
    pub access: Access,
    /// Where links may not lead.
    pub blocking: Blocking,
    /// How codes and ids are made.
    pub codes: Codes,
    /// Where clicks go.
    pub clicks: Clicks,
    /// Where they are brought from Kafka.
    pub clickhouse: ClickHouse,
    /// Where they wait until they are there.
    pub spool: Spool,
    /// What is kept of those who click.
    pub visitors: Visitors,
    /// How long clicks and expired links are kept.
    pub retention: Retention,
    /// What is logged.
    pub log: Log,
}

impl Config {
    /// Checks what was written and fills in the defaults; what is wrong comes back all at once.
    pub fn check(written: &Written) -> Result<Self, Problems> {
        let mut reader = Reader::new(written);
        let http = Http::read(&mut reader);
        let store = Store::read(&mut reader);
        let redis = Redis::read(&mut reader);
        let links = Links::read(&mut reader);
        let access = Access::read(&mut reader);
        let blocking = Blocking::read(&mut reader);
        let makes_links = http.as_ref().is_none_or(|http| http.roles.has(Role::Api));
        let codes = Codes::read(&mut reader, makes_links);
        let clicks = Clicks::read(&mut reader);
        let clickhouse = ClickHouse::read(&mut reader);
        let spool = Spool::read(&mut reader, store.as_ref().map(|store| &store.database));
        let visitors = Visitors::read(&mut reader);
        let retention = Retention::read(&mut reader);
        let log = Log::read(&mut reader);
        match (
            (http, store, redis, links, access, blocking, codes),
            (clicks, clickhouse, spool, visitors, retention, log),
        ) {
            (
                (Some(http), Some(store), Some(redis), Some(links), Some(access), Some(blocking), Some(codes)),
                (Some(clicks), Some(clickhouse), Some(spool), Some(visitors), Some(retention), Some(log)),
            ) if reader.problems.is_empty() => Ok(Self {
                http,
                store,
                redis,
                links,
                access,
                blocking,
                codes,
                clicks,
                clickhouse,
                spool,
                visitors,
                retention,
                log,
            }),
            _ => Err(Problems(reader.problems)),
        }
    }
}

#[cfg(test)]
mod reference;
#[cfg(test)]
mod tests;
