//! Pages that visits found without a verdict, and that wait to be asked about: each once, however many visits found it.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::line::{Line, Place};

/// How many questions are under way at once.
const AT_ONCE: usize = 8;

/// How many pages may wait. Beyond that the next visit has another chance.
const MOST: usize = 10_000;

/// How long a page that is in the queue is not looked at again.
pub(super) const PACE: Duration = Duration::from_secs(1);

/// The queue. Cheap to clone; all clones are the same one.
#[derive(Debug, Clone)]
pub(super) struct Queue {
    urls: Arc<Mutex<HashSet<String>>>,
    line: Line,
}

/// A page's place in the queue, given back when it is dropped.
#[derive(Debug)]
pub(super) struct Turn {
    queue: Queue,
    url: String,
    place: Option<Place>,
}

impl Default for Queue {
    fn default() -> Self {
        Self { urls: Arc::default(), line: Line::new(AT_ONCE, MOST) }
    }
}

impl Queue {
    /// A place for a page; `None` if it has one, or if there is none left.
    pub(super) fn join(&self, url: &str) -> Option<Turn> {
        let mut urls = self.open();
        if urls.contains(url) {
            return None;
        }
        let place = self.line.join()?;
        urls.insert(url.to_owned());
        Some(Turn { queue: self.clone(), url: url.to_owned(), place: Some(place) })
    }

    /// How many pages wait, or are being asked about.
    pub(super) fn waiting(&self) -> usize {
        self.open().len()
    }

    /// How many found no place.
    pub(super) fn dropped(&self) -> u64 {
        self.line.dropped()
    }

    fn open(&self) -> MutexGuard<'_, HashSet<String>> {
        // Nothing is done in there that could panic half way.
        self.urls.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Turn {
    /// Waits for the turn, and has it do its work before the place is given back.
    pub(super) async fn take(mut self, work: impl Future<Output = ()>) {
        if let Some(place) = self.place.take() {
            place.take(work).await;
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.queue.open().remove(&self.url);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_waits_once_and_may_come_again() {
        let queue = Queue::default();
        let turn = queue.join("a").unwrap();
        assert!(queue.join("a").is_none() && queue.join("b").is_some());
        drop(turn);
        assert!(queue.join("a").is_some());
        assert_eq!((queue.dropped(), queue.waiting()), (0, 0));
    }

    #[test]
    fn the_queue_has_an_end() {
        let queue = Queue::default();
        let turns: Vec<_> = (0..MOST).map(|number| queue.join(&number.to_string()).unwrap()).collect();
        assert!(queue.join("more").is_none());
        assert_eq!((queue.dropped(), queue.waiting()), (1, MOST));
        drop(turns);
        assert!(queue.join("more").is_some());
    }
}
