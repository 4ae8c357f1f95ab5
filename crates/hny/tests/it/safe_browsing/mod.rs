//! Pages that a provider says are harmful. The provider is a server of our own.

mod create;
mod failures;
mod limited;
mod secrecy;
mod visits;
mod web_risk;

use std::time::Duration;

use hny_testkit::{Client, Program, Response, SafeBrowsing};
use serde_json::json;

use crate::instant::until_some;
use crate::site::{Site, program};

const EVIL: &str = "https://www.evil.example/page";
const GOOD: &str = "https://good.example/";

/// The number of a threat on the wire: social engineering.
const DECEPTION: u32 = 2;

/// A program that asks this provider.
fn asking(provider: &SafeBrowsing) -> Program {
    set(&program(), provider, "safebrowsing")
}

fn set(program: &Program, provider: &SafeBrowsing, service: &str) -> Program {
    let program = program.clone().env("HNY_SAFE_BROWSING", service).env("HNY_SAFE_BROWSING_KEY", provider.key());
    program.env("HNY_SAFE_BROWSING_URL", provider.endpoint())
}

/// A provider that knows nothing bad yet, and whose word on that holds for a second.
fn provider() -> SafeBrowsing {
    let provider = SafeBrowsing::start();
    provider.keep_for(Duration::from_secs(1));
    provider
}

/// Has the site hear that [`EVIL`] is harmful, which holds for as long as any test takes: by the visits to a link of its own.
fn becomes_suspected(site: &Site, provider: &SafeBrowsing) {
    let path = site.admin().link(&json!({"originalUrl": EVIL}));
    provider.list("evil.example/", DECEPTION);
    provider.keep_for(Duration::from_mins(20));
    flagged(&mut site.visitor(), &path);
}

/// The warning that a link shows as soon as the word on it has come.
fn flagged(visitor: &mut Client, path: &str) -> Response {
    until_some(|| Some(visitor.get(path)).filter(|answer| answer.status == 200))
}
