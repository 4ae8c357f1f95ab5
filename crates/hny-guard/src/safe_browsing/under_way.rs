//! Questions that are under way. Who has no others waits for the answer instead of asking again.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use super::kept::Question;

/// The questions that somebody is asking.
#[derive(Debug, Default)]
pub(super) struct UnderWay {
    /// By how many: who has one that is new asks for all.
    questions: Mutex<HashMap<Question, usize>>,
    ended: Notify,
}

/// Somebody who asks, until it is dropped.
#[derive(Debug)]
pub(super) struct Asking<'a> {
    under_way: &'a UnderWay,
    questions: &'a [Question],
}

impl UnderWay {
    /// Begins to ask. Where all of it is under way, waits until somebody has ended and answers `None`: then look what is known by now.
    pub(super) async fn begin<'a>(&'a self, questions: &'a [Question]) -> Option<Asking<'a>> {
        // Made before the look: an end after the look is not missed.
        let ended = self.ended.notified();
        if let Some(asking) = self.join(questions) {
            return Some(asking);
        }
        ended.await;
        None
    }

    fn join<'a>(&'a self, questions: &'a [Question]) -> Option<Asking<'a>> {
        let mut open = self.open();
        if questions.iter().all(|question| open.contains_key(question)) {
            return None;
        }
        for question in questions {
            *open.entry(*question).or_default() += 1;
        }
        Some(Asking { under_way: self, questions })
    }

    fn open(&self) -> MutexGuard<'_, HashMap<Question, usize>> {
        // Nothing is done in there that could panic half way.
        self.questions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Asking<'_> {
    fn drop(&mut self) {
        let mut open = self.under_way.open();
        for question in self.questions {
            if let Some(count) = open.get_mut(question) {
                *count -= 1;
                if *count == 0 {
                    open.remove(question);
                }
            }
        }
        drop(open);
        self.under_way.ended.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use std::task::Poll;

    use super::*;

    const A: Question = [1; 32];
    const B: Question = [2; 32];

    #[tokio::test]
    async fn who_has_nothing_new_waits_until_somebody_ends() {
        let under_way = UnderWay::default();
        let first = under_way.begin(&[A]).await.unwrap();
        let both = under_way.begin(&[A, B]).await.expect("one of them is new");
        let mut third = Box::pin(under_way.begin(&[A]));
        let looked = std::future::poll_fn(|context| Poll::Ready(third.as_mut().poll(context).is_pending()));
        assert!(looked.await);
        drop(first);
        assert!(third.await.is_none());
        assert!(under_way.open().contains_key(&A), "the other one still asks");
        drop(both);
        assert!(under_way.open().is_empty());
        assert!(under_way.begin(&[B]).await.is_some());
    }
}
