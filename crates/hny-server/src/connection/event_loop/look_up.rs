//! Lookups of links that are not in the cache. The runtime makes them, on its own threads: a lookup in a file may wait for the disk,
//! and one in a server for the network, and the connections of the loop shall not.

use std::future::poll_fn;
use std::mem::take;
use std::pin::Pin;
use std::task::Poll;

use tokio::runtime::Handle;

use super::news::{Asker, Home, News};
use crate::redirect::{LookedUp, Road, Wanted};

/// How many lookups one task makes. Most take microseconds, less than it costs to have them on a thread each.
const OF_ONE_TASK: usize = 16;

/// The lookups of a turn.
#[derive(Default)]
pub(super) struct LookUps {
    /// How many there ever were.
    count: u64,
    waiting: Vec<(Asker, Wanted)>,
}

impl LookUps {
    /// Has a link looked up for a connection; the number of the lookup.
    pub(super) fn add(&mut self, token: usize, wanted: Wanted) -> u64 {
        self.count += 1;
        self.waiting.push((Asker { token, number: self.count }, wanted));
        self.count
    }

    /// Begins with all that were added. The loop is told of each when it is done.
    pub(super) fn begin(&mut self, road: &Road, home: &Home, runtime: &Handle) {
        let mut waiting = self.waiting.drain(..).peekable();
        while waiting.peek().is_some() {
            let look_ups = waiting.by_ref().take(OF_ONE_TASK);
            let look_ups = look_ups.map(|(asker, wanted)| LookUp { asker, found: Box::pin(road.look_up(wanted)) });
            let batch = Batch { look_ups: look_ups.collect(), home: home.clone() };
            runtime.spawn(batch.run());
        }
    }
}

/// A lookup that is made.
struct LookUp {
    asker: Asker,
    found: Pin<Box<dyn Future<Output = LookedUp> + Send>>,
}

/// Lookups that one task makes. What has not been answered when it is dropped is answered with nothing, so that nobody waits for ever.
struct Batch {
    look_ups: Vec<LookUp>,
    home: Home,
}

impl Batch {
    /// Makes them all, and tells the loop of all that are done at the same time at once.
    async fn run(mut self) {
        poll_fn(|cx| {
            let mut done = Vec::new();
            for mut look_up in take(&mut self.look_ups) {
                match look_up.found.as_mut().poll(cx) {
                    Poll::Ready(found) => done.push(News::LookedUp(look_up.asker, Some(found))),
                    Poll::Pending => self.look_ups.push(look_up),
                }
            }
            self.home.tell(done);
            if self.look_ups.is_empty() { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
    }
}

impl Drop for Batch {
    fn drop(&mut self) {
        let given_up = take(&mut self.look_ups);
        self.home.tell(given_up.into_iter().map(|look_up| News::LookedUp(look_up.asker, None)));
    }
}
