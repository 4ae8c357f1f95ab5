//! The writer thread: the one place where the database is changed.
//!
//! A durable commit costs a wait for the disk, whether it holds one change or hundreds. So whatever has come in while the last
//! commit ran goes into the next one together, and each caller is answered when that commit is done.

mod job;
mod transaction;

use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};

use super::anchor::Anchor;
use super::change_log::ChangeLog;
use super::failure::Closed;
use super::turn::Turn;
use crate::StoreError;
use crate::error::Cause;
use crate::listeners::Listeners;
use crate::own_changes::OwnChanges;
use job::Job;

/// How many jobs may wait; more callers wait before they hand theirs over.
const QUEUE_LENGTH: usize = 4096;

/// How many jobs go into one commit at most, so that the first of them is not kept waiting for all.
const BATCH_LIMIT: usize = 512;

/// The handle to the writer thread. When the handle is dropped, the thread finishes what it has and ends.
#[derive(Debug)]
pub(super) struct Writer {
    queue: mpsc::Sender<Message>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

#[derive(Debug)]
enum Message {
    Change(Job),
    Close,
}

impl Writer {
    pub(super) fn start(
        connection: Connection,
        turn: Turn,
        listeners: Arc<Listeners>,
        own_changes: Arc<OwnChanges>,
        anchor: Arc<Anchor>,
    ) -> io::Result<Self> {
        let (queue, messages) = mpsc::channel(QUEUE_LENGTH);
        let thread = thread::Builder::new()
            .name("hny-store-write".to_owned())
            .spawn(move || Thread { connection, turn, listeners, own_changes, anchor }.run(messages))?;
        Ok(Self { queue, thread: Mutex::new(Some(thread)) })
    }

    /// Has `work` done in the next transaction. Its result comes back after the commit; when it fails, what it wrote is rolled
    /// back and nothing else is. Once handed over it is done even if the returned future is dropped.
    pub(super) async fn change<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection, &mut ChangeLog) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (value_sender, mut value) = oneshot::channel();
        let (verdict, committed) = oneshot::channel();
        let work = Box::new(move |sql: &Connection, log: &mut ChangeLog| {
            // A caller that does not wait any more does not need the value either.
            drop(value_sender.send(work(sql, log)?));
            Ok(())
        });
        self.queue.send(Message::Change(Job { work, verdict })).await.map_err(|_| Closed)?;
        committed.await.map_err(|_| Closed)??;
        // The verdict is good only if the work was done, and then it has sent its value.
        value.try_recv().map_err(|error| StoreError::Broken(Arc::new(error)))
    }

    /// Takes no more work, finishes what it has, and closes the connection. Blocks until that is done.
    pub(super) fn close(&self) {
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(thread) = thread else {
            return;
        };
        // Fails only if the thread is gone, which is what is wanted.
        drop(self.queue.blocking_send(Message::Close));
        if thread.join().is_err() {
            tracing::error!("the writer thread of the database had panicked");
        }
    }
}

/// What the thread owns.
struct Thread {
    connection: Connection,
    turn: Turn,
    listeners: Arc<Listeners>,
    own_changes: Arc<OwnChanges>,
    anchor: Arc<Anchor>,
}

impl Thread {
    fn run(mut self, mut queue: mpsc::Receiver<Message>) {
        let mut messages = Vec::with_capacity(BATCH_LIMIT);
        while queue.blocking_recv_many(&mut messages, BATCH_LIMIT) > 0 {
            let mut jobs = Vec::with_capacity(messages.len());
            for message in messages.drain(..) {
                match message {
                    Message::Change(job) => jobs.push(job),
                    // What is in the queue already is still done.
                    Message::Close => queue.close(),
                }
            }
            if !jobs.is_empty() {
                self.anchor.before_commit();
                self.commit(jobs);
                self.anchor.after_commit();
            }
        }
    }

    /// First the commit, then the listeners, then the answers: who has an answer can rely on every cache of this process.
    fn commit(&mut self, jobs: Vec<Job>) {
        let (works, verdicts): (Vec<_>, Vec<_>) = jobs.into_iter().map(|job| (job.work, job.verdict)).unzip();
        match transaction::run(&mut self.connection, &self.turn, works) {
            Ok((results, log)) => {
                let changes = log.into_changes();
                self.own_changes.note(&changes);
                self.listeners.call(&changes);
                for (verdict, result) in verdicts.into_iter().zip(results) {
                    // The caller may have gone away.
                    drop(verdict.send(result));
                }
            }
            Err(error) => {
                let error: Cause = Arc::new(error);
                tracing::warn!(%error, jobs = verdicts.len(), "a transaction failed; its callers may try again");
                for verdict in verdicts {
                    drop(verdict.send(Err(StoreError::Unavailable(Arc::clone(&error)))));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
