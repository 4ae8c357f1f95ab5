//! One handing over of clicks, while the writer goes on to empty the rings.

use std::task::{Context, Poll, ready};
use std::time::Duration;

use hny_domain::LinkId;
use hny_store::StoreError;

use crate::sink::{Answer, Rows, Sink};

/// How many rows are one change of the store: some milliseconds of work, so that who makes a link does not wait long behind it.
pub(crate) const ROWS_PER_CHANGE: usize = 4096;

/// Rows on their way to the sink, one change after the other.
pub(crate) struct Flush {
    /// When the last change was begun.
    pub(crate) began: Duration,
    rows: Rows,
    /// Up to where the sink has confirmed them.
    confirmed: usize,
    /// Up to where it was asked to take them.
    asked: usize,
    answer: Option<Answer>,
    /// How many clicks are not confirmed.
    left: u64,
}

impl Flush {
    pub(crate) fn new(rows: Rows) -> Self {
        let left = sum(&rows);
        Self { began: Duration::ZERO, rows, confirmed: 0, asked: 0, answer: None, left }
    }

    /// Begins the next change.
    pub(crate) fn ask(&mut self, sink: &Sink, now: Duration) {
        self.began = now;
        self.asked = self.rows.len().min(self.confirmed + ROWS_PER_CHANGE);
        self.answer = Some(sink(self.rows[self.confirmed..self.asked].to_vec()));
    }

    /// Whether a change was begun and is not confirmed.
    pub(crate) const fn is_asking(&self) -> bool {
        self.answer.is_some()
    }

    /// Whether all is confirmed.
    pub(crate) const fn is_done(&self) -> bool {
        self.confirmed == self.rows.len()
    }

    /// Looks for the answer to the change that was begun. After an error the flush has ended.
    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), StoreError>> {
        if let Some(answer) = &mut self.answer {
            let answer = ready!(answer.as_mut().poll(cx));
            self.answer = None;
            answer?;
            self.left -= sum(&self.rows[self.confirmed..self.asked]);
            self.confirmed = self.asked;
        }
        Poll::Ready(Ok(()))
    }

    /// The rows that the sink has not confirmed. Where it answered with an error it has none of them.
    pub(crate) fn unconfirmed(&self) -> &[(LinkId, u64)] {
        &self.rows[self.confirmed..]
    }

    /// How many clicks those are.
    pub(crate) const fn left(&self) -> u64 {
        self.left
    }
}

fn sum(rows: &[(LinkId, u64)]) -> u64 {
    rows.iter().map(|(_, clicks)| clicks).sum()
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};
    use std::task::Waker;

    use super::*;

    /// A sink that notes what it is asked, and refuses from that change on.
    fn sink(asked: &Arc<Mutex<Vec<usize>>>, refuses_from: usize) -> Sink {
        let asked = Arc::clone(asked);
        Box::new(move |rows| {
            let mut asked = asked.lock().unwrap();
            asked.push(rows.len());
            let refusal = StoreError::Unavailable(Arc::new(std::io::Error::other("refused by this test")));
            let answer = if asked.len() > refuses_from { Err(refusal) } else { Ok(()) };
            Box::pin(std::future::ready(answer))
        })
    }

    fn flush(rows: usize) -> Flush {
        let ids = 0..i64::try_from(rows).unwrap();
        Flush::new(ids.map(|id| (LinkId(id), 2)).collect())
    }

    fn change(flush: &mut Flush, sink: &Sink) -> Poll<Result<(), StoreError>> {
        flush.ask(sink, Duration::ZERO);
        flush.poll(&mut Context::from_waker(Waker::noop()))
    }

    #[test]
    fn rows_are_handed_over_in_changes_of_a_bounded_size() {
        let rows = 2 * ROWS_PER_CHANGE + 1;
        let (asked, mut flush) = (Arc::default(), flush(rows));
        let sink = sink(&asked, 9);
        assert_eq!(flush.left(), 2 * rows as u64);
        for _ in 0..3 {
            assert!(!flush.is_done());
            assert!(matches!(change(&mut flush, &sink), Poll::Ready(Ok(()))));
        }
        assert_eq!(*asked.lock().unwrap(), [ROWS_PER_CHANGE, ROWS_PER_CHANGE, 1]);
        assert_eq!((flush.left(), flush.unconfirmed().len(), flush.is_done()), (0, 0, true));
    }

    #[test]
    fn what_was_not_confirmed_is_left_and_nothing_else() {
        let (asked, mut flush) = (Arc::default(), flush(3 * ROWS_PER_CHANGE));
        let sink = sink(&asked, 1);
        assert!(matches!(change(&mut flush, &sink), Poll::Ready(Ok(()))));
        assert!(matches!(change(&mut flush, &sink), Poll::Ready(Err(_))));
        assert!(!flush.is_asking() && !flush.is_done());
        assert_eq!(flush.unconfirmed().len(), 2 * ROWS_PER_CHANGE);
        assert_eq!(flush.unconfirmed()[0].0, LinkId(i64::try_from(ROWS_PER_CHANGE).unwrap()));
        assert_eq!(flush.left(), 4 * ROWS_PER_CHANGE as u64);
    }
}
