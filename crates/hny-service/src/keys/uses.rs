//! When a key was used last, written behind: whoever presents it does not wait for that.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use hny_domain::{ApiKey, KeyId, Timestamp};
use hny_store::Store;

/// How exactly it is known. Within this time a key is written down once, however often it is used and on how many nodes.
const GRAIN: Duration = Duration::from_mins(5);

/// Notes the uses of keys. Cheap to clone.
#[derive(Debug, Clone)]
pub(super) struct Uses {
    store: Store,
    /// The grains that this process has handed over: there are as many as keys were used here.
    noted: Arc<Mutex<HashMap<KeyId, Timestamp>>>,
}

impl Uses {
    pub(super) fn new(store: Store) -> Self {
        Self { store, noted: Arc::default() }
    }

    /// Notes that a key is used, as the store had it a moment ago. Needs a tokio runtime. A use that the store cannot take now is
    /// taken with one of the next grain.
    pub(super) fn note(&self, key: &ApiKey, now: Timestamp) {
        let (id, at) = (key.id, grain(now));
        if key.last_used_at.is_some_and(|last| last >= at) || !self.is_first(id, at) {
            return;
        }
        let store = self.store.clone();
        tokio::spawn(async move {
            if let Err(error) = store.note_key_use(id, at).await {
                tracing::debug!(%error, key = %id, "the use of a key was not noted");
            }
        });
    }

    /// Whether nobody here has seen the key used in this grain.
    fn is_first(&self, id: KeyId, at: Timestamp) -> bool {
        let mut noted = self.noted.lock().unwrap_or_else(PoisonError::into_inner);
        noted.insert(id, at) != Some(at)
    }
}

/// The beginning of the grain that a time is in.
fn grain(now: Timestamp) -> Timestamp {
    let length = i64::try_from(GRAIN.as_millis()).unwrap_or(i64::MAX);
    Timestamp::from_millis(now.as_millis().div_euclid(length) * length)
}
