//! Many jobs in one transaction, none of which can spoil another.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use rusqlite::{Connection, Transaction, TransactionBehavior};
use thiserror::Error;

use super::job::Work;
use crate::StoreError;
use crate::sqlite::change_log::ChangeLog;
use crate::sqlite::turn::{Busy, Turn};

/// A job panicked.
#[derive(Debug, Error)]
#[error("a change of the database panicked")]
struct Panicked;

/// Why a whole transaction failed.
#[derive(Debug, Error)]
pub(super) enum TransactionError {
    /// Its turn did not come.
    #[error(transparent)]
    Busy(#[from] Busy),
    /// It could not begin or not be committed.
    #[error(transparent)]
    Sqlite(#[from] rusqlite::Error),
    /// SQLite ended it by itself, as it may when the disk is full.
    #[error("SQLite rolled the transaction back")]
    RolledBack(#[source] Option<StoreError>),
}

/// Runs all jobs and commits. Answers how each of them ended, and what was changed. An error is that of the whole transaction:
/// then nothing was changed, and the jobs that had not run yet never will.
pub(super) fn run(
    connection: &mut Connection,
    turn: &Turn,
    works: Vec<Work>,
) -> Result<(Vec<Result<(), StoreError>>, ChangeLog), TransactionError> {
    // IMMEDIATE: the lock is taken, or refused, before anything was done. Dropping a transaction rolls it back.
    let taken = turn.take()?;
    let mut transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Whoever is next may wait for the end of this transaction now.
    drop(taken);
    let mut log = ChangeLog::read(&transaction)?;
    let mut results = Vec::with_capacity(works.len());
    for work in works {
        let result = run_one(&mut transaction, &mut log, work);
        if transaction.is_autocommit() {
            return Err(TransactionError::RolledBack(result.err()));
        }
        results.push(result);
    }
    log.write(&transaction)?;
    transaction.commit()?;
    Ok((results, log))
}

/// Runs one job between savepoints: when it fails, what it wrote and recorded is undone.
fn run_one(transaction: &mut Transaction<'_>, log: &mut ChangeLog, work: Work) -> Result<(), StoreError> {
    let recorded = log.len();
    let result = catch_unwind(AssertUnwindSafe(|| {
        // Dropping a savepoint rolls back to it, also on the way out of a panic.
        let savepoint = transaction.savepoint()?;
        work(&savepoint, log)?;
        savepoint.commit()?;
        Ok(())
    }));
    let result = result.unwrap_or_else(|_| Err(StoreError::Broken(Arc::new(Panicked))));
    if result.is_err() {
        log.truncate(recorded);
    }
    result
}
