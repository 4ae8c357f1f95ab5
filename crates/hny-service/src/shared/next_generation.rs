//! Another generation of what nodes share, for all who need one at the same time.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use hny_store::{Store, StoreError};
use tokio::sync::watch;
use tokio::time::{sleep, timeout};

/// How long the caller of a change waits for it.
const PATIENCE: Duration = Duration::from_secs(5);

/// Between two attempts to begin one.
const PAUSE: Duration = Duration::from_millis(250);

/// Begins generations. Cheap to clone; all clones are the same one.
///
/// Whoever asks is served by a generation that begins after they asked, and one is enough for all who have asked until then.
/// One that could not be begun is tried until it is, by one task, however many asked.
#[derive(Debug, Clone)]
pub(super) struct NextGeneration {
    store: Store,
    /// How many have asked, and whether a task serves them.
    asked: Arc<Mutex<(u64, bool)>>,
    /// How many of them are served.
    served: watch::Sender<u64>,
}

impl NextGeneration {
    pub(super) fn new(store: Store) -> Self {
        Self { store, asked: Arc::default(), served: watch::Sender::new(0) }
    }

    /// Sees to it that another generation begins, and does not wait for it.
    pub(super) fn ask(&self) -> u64 {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        asked.0 += 1;
        if !asked.1 {
            asked.1 = true;
            tokio::spawn(self.clone().serve());
        }
        asked.0
    }

    /// Returns when another generation has begun. It is tried until it does, also after this has failed.
    pub(super) async fn begin(&self) -> Result<(), StoreError> {
        let mut served = self.served.subscribe();
        let number = self.ask();
        match timeout(PATIENCE, served.wait_for(|served| *served >= number)).await {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(error)) => Err(StoreError::Broken(Arc::new(error))),
            Err(late) => Err(StoreError::Unavailable(Arc::new(late))),
        }
    }

    async fn serve(self) {
        while let Some(number) = self.next() {
            self.raise().await;
            self.served.send_replace(number);
        }
    }

    /// How many are served by the generation that begins now; `None` if all are, and the task ends.
    fn next(&self) -> Option<u64> {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        asked.1 = asked.0 > *self.served.borrow();
        asked.1.then_some(asked.0)
    }

    async fn raise(&self) {
        let mut is_told = false;
        while let Err(error) = self.store.raise_cache_generation(None).await {
            if !is_told {
                is_told = true;
                tracing::warn!(%error, "another generation of the shared cache must begin; trying until it does");
            }
            sleep(PAUSE).await;
        }
    }
}

#[cfg(test)]
mod tests;
