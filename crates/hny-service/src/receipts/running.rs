//! The requests that are running in this process.

use std::collections::HashMap;
use std::collections::hash_map;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hny_store::{Fingerprint, RequestId};
use tokio::sync::watch;

type Table = HashMap<RequestId, (Fingerprint, watch::Receiver<()>)>;

/// Who is at which request.
#[derive(Debug, Clone, Default)]
pub(super) struct Running(Arc<Mutex<Table>>);

/// A place among the running, until it is dropped.
#[derive(Debug)]
pub(super) struct Place {
    running: Running,
    request: RequestId,
    _end: watch::Sender<()>,
}

/// Whether a request may run.
pub(super) enum Entry {
    Free(Place),
    /// It runs, with this content; the channel is closed at its end.
    Taken(Fingerprint, watch::Receiver<()>),
}

impl Running {
    pub(super) fn enter(&self, request: RequestId, fingerprint: Fingerprint) -> Entry {
        match self.table().entry(request) {
            hash_map::Entry::Occupied(taken) => {
                let (fingerprint, ended) = taken.get();
                Entry::Taken(*fingerprint, ended.clone())
            }
            hash_map::Entry::Vacant(free) => {
                let (end, ended) = watch::channel(());
                free.insert((fingerprint, ended));
                Entry::Free(Place { running: self.clone(), request, _end: end })
            }
        }
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.running.table().remove(&self.request);
    }
}
