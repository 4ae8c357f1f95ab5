//! Brings the spool to disk, beside the thread that writes it: a sync may take long, and what is written meanwhile is safe from a
//! crash of the process all the same.

use std::fs::File;
use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread::{self, JoinHandle};

/// The thread that syncs.
#[derive(Debug)]
pub(crate) struct Syncer {
    files: SyncSender<Vec<Arc<File>>>,
    thread: JoinHandle<()>,
}

impl Syncer {
    pub(crate) fn start() -> io::Result<Self> {
        // Without room: who hands over files learns whether the last ones are still under way.
        let (files, handed) = sync_channel(0);
        let thread = thread::Builder::new().name("hny-spool-sync".to_owned()).spawn(move || run(&handed))?;
        Ok(Self { files, thread })
    }

    /// Begins to bring files to disk. Gives them back while others are under way.
    pub(crate) fn sync(&self, files: Vec<Arc<File>>) -> Result<(), Vec<Arc<File>>> {
        self.files.try_send(files).map_err(|error| match error {
            TrySendError::Full(files) | TrySendError::Disconnected(files) => files,
        })
    }

    /// Brings the last files to disk, and ends.
    pub(crate) fn end(self, files: Vec<Arc<File>>) {
        // It fails only if the thread is gone, which is told then.
        drop(self.files.send(files));
        drop(self.files);
        if self.thread.join().is_err() {
            tracing::error!("the thread that brings clicks to disk had panicked");
        }
    }
}

fn run(handed: &Receiver<Vec<Arc<File>>>) {
    let mut has_failed = false;
    for files in handed {
        match files.iter().try_for_each(|file| file.sync_data()) {
            Ok(()) => has_failed = false,
            Err(error) if !has_failed => {
                tracing::warn!(%error, "clicks cannot be brought to disk now; a power loss would lose them");
                has_failed = true;
            }
            Err(error) => tracing::debug!(%error, "clicks still cannot be brought to disk"),
        }
    }
}
