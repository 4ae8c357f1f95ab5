//! Many clients that make links until the program is gone.

use std::net::SocketAddr;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use hny_testkit::{Client, DEADLINE};
use serde_json::json;

use crate::visit;

/// How many clients there are, each on a connection of its own.
const CLIENTS: usize = 16;

/// How many links each makes at most, so that a fault that never comes is noticed.
const MOST: usize = 2000;

/// A create that was sent.
#[derive(Debug)]
pub(crate) struct Attempt {
    /// Where it leads.
    pub(crate) target: String,
    /// Its code, when it was chosen or came back.
    pub(crate) code: Option<String>,
    /// Whether the 201 came.
    pub(crate) is_acknowledged: bool,
}

/// Clients at work.
pub(crate) struct Load {
    clients: Vec<JoinHandle<Vec<Attempt>>>,
    acknowledgements: Receiver<()>,
}

impl Load {
    /// Starts the clients. `name` makes their targets and codes different from those of every other load.
    pub(crate) fn start(address: SocketAddr, name: &str) -> Self {
        Self::limited(address, name, CLIENTS, MOST)
    }

    /// As [`start`](Self::start), with so many clients that make so many links each.
    pub(crate) fn limited(address: SocketAddr, name: &str, clients: usize, links: usize) -> Self {
        let (acknowledge, acknowledgements) = channel();
        let client = |number| {
            let (name, acknowledge) = (format!("{name}-{number}"), acknowledge.clone());
            std::thread::spawn(move || create_until_gone(address, &name, links, &acknowledge))
        };
        Self { clients: (0..clients).map(client).collect(), acknowledgements }
    }

    /// Waits until this many more links are acknowledged.
    pub(crate) fn wait_for(&self, links: usize) {
        for _ in 0..links {
            self.acknowledgements.recv_timeout(DEADLINE).expect("links are made all the time");
        }
    }

    /// Waits for the clients to see that the program is gone; what they sent.
    pub(crate) fn finish(self) -> Vec<Attempt> {
        self.clients.into_iter().flat_map(|client| client.join().expect("a client does not panic")).collect()
    }
}

fn create_until_gone(address: SocketAddr, name: &str, links: usize, acknowledge: &Sender<()>) -> Vec<Attempt> {
    let mut attempts = Vec::new();
    let Ok(mut client) = Client::try_connect(address) else { return attempts };
    for number in 0..links {
        let mut attempt = Attempt::new(name, number);
        let headers = [("Content-Type", "application/json")];
        let answer = client.try_request("POST", "/api/shorten", &headers, attempt.body().as_bytes());
        if let Ok(answer) = &answer {
            assert_eq!(answer.status, 201, "{answer:?}");
            attempt.code = Some(visit::code(&answer.json()));
            attempt.is_acknowledged = true;
            // Who counts may have counted enough.
            let _ = acknowledge.send(());
        }
        attempts.push(attempt);
        if answer.is_err() {
            return attempts;
        }
    }
    attempts
}

impl Attempt {
    /// Every other code is chosen, so that it can be looked for when no answer came. Some targets fill several pages of the
    /// database, so that half a link could be seen.
    fn new(name: &str, number: usize) -> Self {
        let filling = if number.is_multiple_of(8) { "x".repeat(8000) } else { String::new() };
        Self {
            target: format!("https://example.com/{name}/{number}?{filling}"),
            code: number.is_multiple_of(2).then(|| format!("{name}-{number}")),
            is_acknowledged: false,
        }
    }

    fn body(&self) -> String {
        match &self.code {
            Some(code) => json!({"originalUrl": self.target, "customCode": code}),
            None => json!({"originalUrl": self.target}),
        }
        .to_string()
    }
}
