//! Lookups of links that are not in the cache. They are made on a task apart: a lookup in a file may wait for the disk, and one in a
//! server for the network, and the other connections of the loop shall not.

use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use tokio::sync::mpsc::UnboundedSender;

use super::News;
use crate::redirect::{LookedUp, Road, Wanted};

/// For whom a link is looked up: the connection with this token, if it waits for the lookup of this number still.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Asker {
    pub(super) token: usize,
    pub(super) number: u64,
}

/// The lookups of a turn.
pub(super) struct LookUps {
    /// How many there were before.
    count: u64,
    waiting: Vec<(Asker, Wanted)>,
}

impl LookUps {
    pub(super) fn new() -> Self {
        Self { count: 0, waiting: Vec::new() }
    }

    /// Has a link looked up for a connection; the number of the lookup.
    pub(super) fn add(&mut self, token: usize, wanted: Wanted) -> u64 {
        self.count += 1;
        self.waiting.push((Asker { token, number: self.count }, wanted));
        self.count
    }

    /// Begins with all that were added. The loop is told of each when it is done.
    pub(super) fn begin(&mut self, road: &Road, home: &UnboundedSender<News>) {
        if self.waiting.is_empty() {
            return;
        }
        let look_up = |(asker, wanted)| {
            let (answer, look_up) = (Answer { asker, home: home.clone(), found: None }, road.look_up(wanted));
            async move { answer.give(look_up.await) }
        };
        let mut look_ups: FuturesUnordered<_> = self.waiting.drain(..).map(look_up).collect();
        tokio::spawn(async move { while look_ups.next().await.is_some() {} });
    }
}

/// The answer that a loop waits for. It comes when this is dropped, so that nobody waits for one that will not come.
struct Answer {
    asker: Asker,
    home: UnboundedSender<News>,
    found: Option<LookedUp>,
}

impl Answer {
    fn give(mut self, found: LookedUp) {
        self.found = Some(found);
    }
}

impl Drop for Answer {
    fn drop(&mut self) {
        // Fails when the loop is gone, and its connections with it.
        let _ = self.home.send(News::LookedUp(self.asker, self.found.take()));
    }
}
