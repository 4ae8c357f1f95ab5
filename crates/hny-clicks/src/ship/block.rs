//! Making a block of messages: always the same of the same.

use super::message;
use super::partition::Waiting;
use hny_domain::Click;

/// What came of messages.
#[derive(Debug, Default)]
pub(super) struct Sorted {
    pub(super) clicks: Vec<Click>,
    /// Those that are no clicks, and why.
    pub(super) dead: Vec<(Waiting, message::NoClick)>,
}

impl Sorted {
    pub(super) fn of(messages: Vec<Waiting>) -> Self {
        let mut sorted = Self::default();
        for waiting in messages {
            match message::read(waiting.payload.as_deref()) {
                Ok(click) => sorted.clicks.push(click),
                Err(reason) => sorted.dead.push((waiting, reason)),
            }
        }
        sorted
    }
}
