//! Whose turn it is to write, when several processes have something to write.
//!
//! SQLite has one lock for writers and no queue: who finds it taken sleeps and looks again, ever more rarely, while the process
//! that has just committed takes it again at once. Four busy processes keep one of them waiting for seconds like that. So whoever
//! wants the lock of SQLite takes a lock on a file first and keeps it until that of SQLite is had: then at most one waits for it,
//! who looks often, and nobody can take it twice in a row while others wait.

use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;
use std::time::Duration;

use thiserror::Error;

use super::lock_file;

/// How long one looks away before looking again whether a lock is free, and how often: a change is over in less.
const PAUSE: Duration = Duration::from_micros(250);
const LOOKS: u32 = 400;

/// The same after that: whoever keeps a lock so long keeps it longer, and looking often would cost much of a processor.
const LONG_PAUSE: Duration = Duration::from_millis(5);

/// How often one looks in all: some five seconds long, and longer where the system takes its time.
const ALL_LOOKS: u32 = LOOKS + 980;

/// The file whose lock is the turn.
#[derive(Debug)]
pub(super) struct Turn(File);

/// It was not this process's turn for five seconds: another one may be stopped in the middle.
#[derive(Debug, Error)]
#[error("other processes keep the database busy")]
pub(super) struct Busy;

/// The turn, until it is dropped.
#[derive(Debug)]
pub(super) struct Taken<'a>(&'a File);

impl Turn {
    /// The turn at writing the database at `path`.
    pub(super) fn at(path: &Path) -> io::Result<Self> {
        Ok(Self(File::create(lock_file::beside(path, "-turn")?)?))
    }

    /// Waits for the turn. `None` where the file system has no locks: there it is as if nobody else were there.
    pub(super) fn take(&self) -> Result<Option<Taken<'_>>, Busy> {
        for look in 0.. {
            match self.0.try_lock() {
                Ok(()) => return Ok(Some(Taken(&self.0))),
                Err(TryLockError::WouldBlock) if look_again(look) => {}
                Err(TryLockError::WouldBlock) => return Err(Busy),
                Err(TryLockError::Error(error)) => {
                    tracing::debug!(%error, "no lock can be had on the file of turns");
                    return Ok(None);
                }
            }
        }
        Err(Busy)
    }
}

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        // It cannot fail for a lock that is held; and closing the file would end it too.
        drop(self.0.unlock());
    }
}

/// For SQLite's own lock, while it is this process's turn.
pub(super) fn look_again_for_sqlite(looks: i32) -> bool {
    u32::try_from(looks).is_ok_and(look_again)
}

/// Pauses, unless one has looked often enough.
#[expect(clippy::disallowed_methods, reason = "neither lock gives a signal, and a wait for one could not be bounded")]
fn look_again(looks: u32) -> bool {
    let may = looks < ALL_LOOKS;
    if may {
        std::thread::sleep(if looks < LOOKS { PAUSE } else { LONG_PAUSE });
    }
    may
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::thread;

    use tempfile::TempDir;

    use super::*;

    fn turns() -> (TempDir, Turn, Turn) {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("hny.db");
        File::create(&path).unwrap();
        let (one, two) = (Turn::at(&path).unwrap(), Turn::at(&path).unwrap());
        (folder, one, two)
    }

    #[test]
    fn it_is_one_turn_at_a_time() {
        let (_folder, one, two) = turns();
        let taken = one.take().unwrap().unwrap();
        let (report, reports) = mpsc::channel();
        thread::scope(|scope| {
            scope.spawn(|| report.send(two.take().is_ok()).unwrap());
            // Long enough for whoever does not wait to be done.
            assert_eq!(reports.recv_timeout(Duration::from_millis(100)), Err(mpsc::RecvTimeoutError::Timeout));
            drop(taken);
            assert_eq!(reports.recv(), Ok(true));
        });
        assert!(one.take().unwrap().is_some(), "a turn that is over is free");
    }

    #[test]
    fn nobody_waits_for_ever() {
        let (_folder, one, two) = turns();
        let _taken = one.take().unwrap();
        assert!(two.take().is_err());
    }
}
