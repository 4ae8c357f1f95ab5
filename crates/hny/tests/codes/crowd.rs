//! Four processes on one database, and the many who make links with them at once.

use std::thread;

use hny_testkit::{Client, Program, Running};
use serde_json::json;

/// How many links are made, by all of them together.
pub(crate) const LINKS: usize = 100_000;

const PROCESSES: usize = 4;

/// How many make links with each process at once.
const CALLERS: usize = 32;

pub(crate) struct Crowd {
    services: Vec<Running>,
    key: String,
}

impl Crowd {
    /// Starts the processes.
    pub(crate) fn start(program: &Program) -> Self {
        let made = program.run(["key", "create", "--name", "crowd", "--role", "admin"]);
        let key = String::from_utf8(made.stdout).expect("a key is text").trim_end().to_owned();
        let services = (0..PROCESSES).map(|_| program.start()).collect();
        Self { services, key }
    }

    /// Makes the links, each to a target of its own; every code and what it should lead to.
    pub(crate) fn make_links(&self) -> Vec<(String, String)> {
        thread::scope(|scope| {
            let callers: Vec<_> = (0..PROCESSES * CALLERS)
                .map(|number| {
                    let (address, key) = (self.services[number % PROCESSES].address(), &self.key);
                    scope.spawn(move || call(Client::connect(address), key, number))
                })
                .collect();
            callers.into_iter().flat_map(|caller| caller.join().expect("a caller")).collect()
        })
    }
}

/// Makes one caller's share of the links.
fn call(mut client: Client, key: &str, number: usize) -> Vec<(String, String)> {
    let headers = [("Content-Type", "application/json"), ("X-Api-Key", key)];
    let shares = PROCESSES * CALLERS;
    let mine = (number..LINKS).step_by(shares);
    mine.map(|link| {
        let target = format!("https://example.com/{link}");
        let body = json!({"originalUrl": target}).to_string();
        let made = client.request("POST", "/api/shorten", &headers, body.as_bytes());
        assert_eq!(made.status, 201, "{}", made.text());
        let code = made.json()["shortCode"].as_str().expect("a code").to_owned();
        (code, target)
    })
    .collect()
}
