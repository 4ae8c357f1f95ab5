//! How tests start the real program and talk to it.
//!
//! [`Program`] says what to start and where, [`Running`] is the started program, [`Client`] speaks HTTP/1.1 to it without
//! changing a byte, [`Postgres`], [`Redis`], [`Kafka`] and [`ClickHouse`] are real servers for it, [`SafeBrowsing`] is one of our own, [`Proxy`] a wire that breaks, [`NginxSite`] puts
//! nginx before it, [`schemathesis()`] holds it to its contract, [`Strace`] shows or breaks its system calls, [`Chromium`] is a visitor, and [`redirect_instructions`] counts instructions. A test reads like
//! this:
//!
//! ```no_run
//! # let path = "hny"; // a test passes env!("CARGO_BIN_EXE_hny")
//! use hny_testkit::{Client, Program};
//!
//! let hny = Program::new(path).env("HNY_LOG", "debug").start();
//! let mut client = Client::connect(hny.address());
//! let made = client.post_json("/api/shorten", &serde_json::json!({"originalUrl": "https://example.com/"}));
//! assert_eq!(made.status, 201, "{made:?}");
//! ```
//!
//! Nothing here returns an error for a test to forget: what cannot go on panics, and says what was seen until then. The
//! methods named `try_…` are for tests in which the program is meant to fail. This crate depends on no crate of ours, so
//! it cannot agree with the program about a mistake.

#![expect(
    clippy::missing_panics_doc,
    reason = "every failure here is a panic with the reason: that is the promise above"
)]

mod callgrind;
mod chromium;
mod clickhouse;
mod http;
mod kafka;
mod nginx;
mod ports;
mod postgres;
mod process;
mod program;
mod proxy;
mod python;
mod redis;
mod running;
mod safe_browsing;
mod schemathesis;
mod talk;
mod trace;
mod tracer;
mod writes;

pub use callgrind::redirect_instructions;
pub use chromium::{Arrival, Chromium};
pub use clickhouse::ClickHouse;
pub use http::{Client, Response};
pub use kafka::{Kafka, Record};
pub use nginx::{Nginx, NginxSite};
pub use postgres::{HeldTable, Postgres};
pub use program::Program;
pub use proxy::Proxy;
pub use redis::Redis;
pub use running::Running;
pub use safe_browsing::{Detail, Mood, SafeBrowsing};
pub use schemathesis::schemathesis;
pub use trace::{Event, Strace, read_trace, read_trace_so_far};
pub use tracer::Tracer;

use std::time::Duration;

/// How long anything may take that is expected to happen: far above what a busy machine needs, far below a stuck test run.
pub const DEADLINE: Duration = Duration::from_secs(30);
