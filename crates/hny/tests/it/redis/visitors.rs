//! Visitors who ask all the time, and notice what must not be.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use hny_testkit::{Client, Response};

use super::{PACE, PROMISE, filler};
use crate::site::Site;

/// So long a visit may take, whatever Redis does. It is far more than the tenth of a second that anybody waits for it, and the
/// machine may be busy.
const BOUND: Duration = Duration::from_secs(1);

/// When each of the changes of a link was acknowledged: the first is the one to `…/2`.
#[derive(Clone, Default)]
pub(super) struct Acknowledged(Arc<Mutex<Vec<Instant>>>);

impl Acknowledged {
    pub(super) fn another(&self) {
        self.0.lock().unwrap().push(Instant::now());
    }

    /// Whether a visit that began then may show this number: until every node must know of the change after it.
    fn may_show(&self, number: usize, began: Instant) -> bool {
        let next = self.0.lock().unwrap().get(number - 1).copied();
        next.is_none_or(|next| began < next + PROMISE)
    }
}

/// Someone who follows a link to `…/1`, later to `…/2` and so on, again and again, and another one in between.
pub(super) struct Visitor {
    stop: Sender<()>,
    thread: JoinHandle<usize>,
}

impl Visitor {
    pub(super) fn start(site: &Site, path: &str, acknowledged: Acknowledged) -> Self {
        let (stop, stopped) = mpsc::channel();
        let (address, path, filler) = (site.hny().address(), path.to_owned(), filler(site));
        let thread = thread::spawn(move || {
            let (mut client, mut visits) = (Client::connect(address), 0);
            while stopped.recv_timeout(PACE) == Err(RecvTimeoutError::Timeout) {
                visit(&mut client, &filler);
                let began = Instant::now();
                let answer = visit(&mut client, &path);
                let number = number(answer.header("location").expect("a redirect leads somewhere"));
                assert!(acknowledged.may_show(number, began), "{number} is shown long after it was changed");
                visits += 2;
            }
            visits
        });
        Self { stop, thread }
    }

    /// Ends; how many visits there were. What must not be is a panic.
    pub(super) fn stop(self) -> usize {
        // It may have ended by a panic, which is reported next.
        let _ = self.stop.send(());
        self.thread.join().expect("all visits were right")
    }
}

/// A visit, which leads somewhere and does not take long.
fn visit(client: &mut Client, path: &str) -> Response {
    let start = Instant::now();
    let answer = client.get(path);
    assert!(start.elapsed() < BOUND, "a visit took {:?}", start.elapsed());
    assert_eq!(answer.status, 302, "{answer:?}");
    answer
}

/// Where the link with this number leads.
pub(super) fn target(number: u32) -> String {
    format!("https://example.com/{number}")
}

fn number(target: &str) -> usize {
    target.rsplit('/').next().and_then(|number| number.parse().ok()).expect("targets end in a number")
}
