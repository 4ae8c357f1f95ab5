//! Many clients that make links until the program is gone, or nobody counts them any more.

use std::io;
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

/// How many links a client makes with one of two nodes before it turns to the other.
const IN_TURN: usize = 20;

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
        let name = name.to_owned();
        Self::of(clients, move |client, acknowledge| {
            create_until_gone(address, &format!("{name}-{client}"), links, acknowledge)
        })
    }

    /// Starts clients with a key that make links with one of these nodes or the other, whichever is there, until
    /// [`finish`](Self::finish). They choose no code.
    pub(crate) fn on_either(nodes: [SocketAddr; 2], name: &str, key: &str) -> Self {
        let (name, key) = (name.to_owned(), key.to_owned());
        Self::of(CLIENTS, move |client, acknowledge| create_on_either(nodes, client, (&name, &key), acknowledge))
    }

    fn of(clients: usize, work: impl Fn(usize, &Sender<()>) -> Vec<Attempt> + Clone + Send + 'static) -> Self {
        let (acknowledge, acknowledgements) = channel();
        let client = |number| {
            let (work, acknowledge) = (work.clone(), acknowledge.clone());
            std::thread::spawn(move || work(number, &acknowledge))
        };
        Self { clients: (0..clients).map(client).collect(), acknowledgements }
    }

    /// How many links were acknowledged that nobody has waited for.
    pub(crate) fn news(&self) -> usize {
        self.acknowledgements.try_iter().count()
    }

    /// Waits until this many more links are acknowledged.
    pub(crate) fn wait_for(&self, links: usize) {
        for _ in 0..links {
            self.acknowledgements.recv_timeout(DEADLINE).expect("links are made all the time");
        }
    }

    /// Waits for the clients to see that the program is gone, or that nobody counts any more; what they sent.
    pub(crate) fn finish(self) -> Vec<Attempt> {
        drop(self.acknowledgements);
        self.clients.into_iter().flat_map(|client| client.join().expect("a client does not panic")).collect()
    }
}

fn create_until_gone(address: SocketAddr, name: &str, links: usize, acknowledge: &Sender<()>) -> Vec<Attempt> {
    let mut attempts = Vec::new();
    let Ok(mut client) = Client::try_connect(address) else { return attempts };
    for number in 0..links {
        let mut attempt = Attempt::new(name, number);
        let answer = attempt.send(&mut client, &[]);
        attempts.push(attempt);
        if answer.is_err() {
            break;
        }
        // Who counts may have counted enough.
        let _ = acknowledge.send(());
    }
    attempts
}

fn create_on_either(
    nodes: [SocketAddr; 2],
    client: usize,
    (name, key): (&str, &str),
    acknowledge: &Sender<()>,
) -> Vec<Attempt> {
    let mut attempts = Vec::new();
    for turn in client..client + MOST {
        let Ok(mut node) = Client::try_connect(nodes[turn % 2]) else { continue };
        for _ in 0..IN_TURN {
            let mut attempt = Attempt::to(format!("https://example.com/{name}/{client}/{}", attempts.len()));
            let answer = attempt.send(&mut node, &[("X-Api-Key", key)]);
            attempts.push(attempt);
            if answer.is_err() {
                break;
            }
            if acknowledge.send(()).is_err() {
                return attempts;
            }
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

    /// To somewhere, with whatever code comes back.
    fn to(target: String) -> Self {
        Self { target, code: None, is_acknowledged: false }
    }

    /// Sends it, and notes the answer, which must be a 201 where one comes.
    fn send(&mut self, client: &mut Client, headers: &[(&str, &str)]) -> io::Result<()> {
        let headers = [&[("Content-Type", "application/json")], headers].concat();
        let answer = client.try_request("POST", "/api/shorten", &headers, self.body().as_bytes())?;
        assert_eq!(answer.status, 201, "{answer:?}");
        self.code = Some(visit::code(&answer.json()));
        self.is_acknowledged = true;
        Ok(())
    }

    fn body(&self) -> String {
        match &self.code {
            Some(code) => json!({"originalUrl": self.target, "customCode": code}),
            None => json!({"originalUrl": self.target}),
        }
        .to_string()
    }
}
