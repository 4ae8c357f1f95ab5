//! Numbers that no other node has, from memory.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hny_codes::LeasedNumbers;
use hny_store::{Store, StoreError};

/// Leased numbers, handed out one by one. The next range is fetched while half of one is left, so in steady state nobody waits
/// for it. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Numbers(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    store: Store,
    range: u32,
    leased: Mutex<LeasedNumbers>,
    /// Held by whoever fetches a range for those who have none.
    fetching: tokio::sync::Mutex<()>,
    is_fetching_early: AtomicBool,
}

impl Numbers {
    /// Numbers from `store`, leased `range` at a time: a thousand for a service, one for a command that makes one link. What is
    /// left when the process ends is a gap. Ranges of one are not fetched early: who asks for one number wants no second.
    pub fn new(store: Store, range: u32) -> Self {
        let leased = Mutex::new(LeasedNumbers::new(u64::from(range / 2)));
        Self(Arc::new(Inner {
            store,
            range,
            leased,
            fetching: tokio::sync::Mutex::default(),
            is_fetching_early: AtomicBool::new(false),
        }))
    }

    /// The next number.
    pub(super) async fn next(&self) -> Result<u64, StoreError> {
        if let Some(number) = self.take() {
            return Ok(number);
        }
        let _one_at_a_time = self.0.fetching.lock().await;
        loop {
            // Somebody may have fetched while this one waited for its turn.
            match self.take() {
                Some(number) => return Ok(number),
                None => self.fetch().await?,
            }
        }
    }

    fn take(&self) -> Option<u64> {
        let (number, wants_range) = {
            let mut leased = self.leased();
            (leased.take(), leased.wants_range())
        };
        if self.0.range > 1 && number.is_some() && wants_range && !self.0.is_fetching_early.swap(true, Ordering::AcqRel)
        {
            let numbers = self.clone();
            tokio::spawn(async move {
                if let Err(error) = numbers.fetch().await {
                    // Whoever needs the range next will ask again, and be told.
                    tracing::debug!(%error, "a range of numbers could not be leased early");
                }
                numbers.0.is_fetching_early.store(false, Ordering::Release);
            });
        }
        number
    }

    async fn fetch(&self) -> Result<(), StoreError> {
        let range = self.0.store.lease_numbers(self.0.range).await?;
        if let Err(error) = self.leased().add(range) {
            // Two fetched at once: this range stays a gap, which costs nothing.
            tracing::debug!(%error, "a leased range of numbers is left out");
        }
        Ok(())
    }

    fn leased(&self) -> MutexGuard<'_, LeasedNumbers> {
        // Numbers are taken by one step that cannot panic half way.
        self.0.leased.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests;
