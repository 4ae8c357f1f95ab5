//! A line of those who want to ask something: so many ask at once, so many wait, and no more.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The line. Cheap to clone; all clones are the same one.
#[derive(Debug, Clone)]
pub(super) struct Line(Arc<Parts>);

#[derive(Debug)]
struct Parts {
    turns: Semaphore,
    places: Arc<Semaphore>,
    dropped: AtomicU64,
}

/// A place in the line, given back when it is dropped.
#[derive(Debug)]
pub(super) struct Place {
    line: Line,
    _permit: OwnedSemaphorePermit,
}

impl Line {
    /// In which `at_once` ask at the same time, out of `most` who have a place.
    pub(super) fn new(at_once: usize, most: usize) -> Self {
        let places = Arc::new(Semaphore::new(most));
        Self(Arc::new(Parts { turns: Semaphore::new(at_once), places, dropped: AtomicU64::new(0) }))
    }

    /// A place, if there is one left.
    pub(super) fn join(&self) -> Option<Place> {
        // The semaphore is never closed, so there is no other error.
        let Ok(permit) = Arc::clone(&self.0.places).try_acquire_owned() else {
            self.0.dropped.fetch_add(1, Ordering::Relaxed);
            return None;
        };
        Some(Place { line: self.clone(), _permit: permit })
    }

    /// How many found none.
    pub(super) fn dropped(&self) -> u64 {
        self.0.dropped.load(Ordering::Relaxed)
    }
}

impl Place {
    /// Waits for the turn, and has it do its work before the place is given back.
    pub(super) async fn take<T>(self, work: impl Future<Output = T>) -> T {
        // The semaphore is never closed.
        let _turn = self.line.0.turns.acquire().await;
        work.await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_has_an_end() {
        let line = Line::new(1, 2);
        let places = [line.join().unwrap(), line.join().unwrap()];
        assert!(line.join().is_none());
        assert_eq!(line.dropped(), 1);
        drop(places);
        assert!(line.join().is_some());
    }

    #[tokio::test]
    async fn one_has_its_turn_after_the_other() {
        let line = Line::new(1, 2);
        let (first, second) = (line.join().unwrap(), line.join().unwrap());
        let (end, ended) = tokio::sync::oneshot::channel::<()>();
        let first = tokio::spawn(first.take(ended));
        tokio::task::yield_now().await;
        let second = tokio::spawn(second.take(async {}));
        tokio::task::yield_now().await;
        assert!(!second.is_finished());
        end.send(()).unwrap();
        first.await.unwrap().unwrap();
        second.await.unwrap();
    }
}
