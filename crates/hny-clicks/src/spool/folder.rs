//! Where spools are: a folder for each in the folder of the settings. Nobody writes into the folder of another.
//!
//! A folder is called after the database that its clicks belong to and after its own number. Whoever uses it holds the lock on a
//! file in it, and a lock ends with its process, however that ends: what is not locked was left behind.

use std::ffi::OsStr;
use std::fs::{self, DirBuilder, File, TryLockError};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use hny_store::{DatabaseId, SpoolId};
use thiserror::Error;

/// The file in it that is locked.
const LOCK: &str = "lock";

/// The folder of the settings, and whose spools in it are meant.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    pub(crate) path: PathBuf,
    pub(crate) database: DatabaseId,
}

/// The folder of a spool, for as long as it is ours.
#[derive(Debug)]
pub(crate) struct Folder {
    pub(crate) spool: SpoolId,
    pub(crate) path: PathBuf,
    /// Held, and never looked at.
    _lock: File,
}

/// Why no spool could be begun. Every message names the folder and what to do.
#[derive(Debug, Error)]
pub enum SpoolError {
    /// The folder cannot be made, or not be written.
    #[error(
        "cannot make a spool in {path:?}, where clicks wait; let this user write there, name another folder (HNY_SPOOL_DIR), or record none (HNY_CLICKS_URL=discard:)"
    )]
    Folder {
        /// The folder of the settings.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file system has no locks.
    #[error("cannot lock a file in {path:?}, so two processes could use one spool; put HNY_SPOOL_DIR on a local disk")]
    Lock {
        /// The folder of the settings.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The system refuses a thread.
    #[error("cannot start a thread for the clicks; raise the limit of processes for this user")]
    Thread(#[source] io::Error),
}

impl Place {
    /// Makes the folder of a new spool.
    pub(crate) fn make(&self, spool: SpoolId) -> Result<Folder, SpoolError> {
        let failed = |source| SpoolError::Folder { path: self.path.clone(), source };
        // Who clicked when is nobody else's business.
        DirBuilder::new().recursive(true).mode(0o700).create(&self.path).map_err(failed)?;
        let path = self.path.join(self.name(spool));
        // Under another name until it is locked, or somebody could take it for one that was left behind.
        let unlocked = path.with_extension("new");
        DirBuilder::new().mode(0o700).create(&unlocked).map_err(failed)?;
        let lock = File::create(unlocked.join(LOCK)).map_err(failed)?;
        lock.try_lock().map_err(|error| SpoolError::Lock { path: self.path.clone(), source: error.into() })?;
        fs::rename(&unlocked, &path).and_then(|()| sync(&self.path)).map_err(failed)?;
        Ok(Folder { spool, path, _lock: lock })
    }

    fn name(&self, spool: SpoolId) -> String {
        format!("{:016x}-{:016x}", self.database.0, spool.0)
    }

    /// Takes the folders that processes have left behind which are gone.
    pub(crate) fn left_behind(&self) -> io::Result<Vec<Folder>> {
        let mut found = Vec::new();
        for entry in fs::read_dir(&self.path)? {
            let name = entry?.file_name();
            if let Some(spool) = self.spool(&name)
                && let Some(lock) = lock_if_free(&self.path.join(&name))
            {
                found.push(Folder { spool, path: self.path.join(name), _lock: lock });
            }
        }
        Ok(found)
    }

    /// The spool whose folder is called so.
    fn spool(&self, name: &OsStr) -> Option<SpoolId> {
        let (_, number) = name.to_str()?.split_once('-')?;
        let spool = SpoolId(u64::from_str_radix(number, 16).ok()?);
        (name.to_str() == Some(&self.name(spool))).then_some(spool)
    }
}

/// The lock of a folder that nobody has, if it is still there.
fn lock_if_free(folder: &Path) -> Option<File> {
    // It is not made: whoever removes the folder begins with its files.
    let lock = File::options().write(true).open(folder.join(LOCK)).ok()?;
    match lock.try_lock() {
        Ok(()) => folder.join(LOCK).exists().then_some(lock),
        Err(TryLockError::WouldBlock) => None,
        Err(TryLockError::Error(error)) => {
            tracing::warn!(%error, ?folder, "it cannot be found out whether clicks were left behind");
            None
        }
    }
}

impl Folder {
    /// Removes it with everything in it.
    pub(crate) fn remove(self) -> io::Result<()> {
        fs::remove_dir_all(&self.path)
    }
}

/// Brings to disk which files are in a folder.
fn sync(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    fn place(database: u64) -> (TempDir, Place) {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("made/too");
        (folder, Place { path, database: DatabaseId(database) })
    }

    fn left_behind(place: &Place) -> Vec<SpoolId> {
        place.left_behind().unwrap().into_iter().map(|folder| folder.spool).collect()
    }

    #[test]
    fn what_is_in_use_is_not_taken_and_what_was_left_behind_is_by_one() {
        let (_folder, place) = place(u64::MAX);
        let [one, other] = [SpoolId(1), SpoolId(u64::MAX)].map(|spool| place.make(spool).unwrap());
        assert_eq!(left_behind(&place), []);
        drop(one);
        let taken = place.left_behind().unwrap();
        assert_eq!(taken.iter().map(|folder| folder.spool).collect::<Vec<_>>(), [SpoolId(1)]);
        assert_eq!(left_behind(&place), [], "it is in use again");
        drop((taken, other));
        assert_eq!(place.left_behind().unwrap().len(), 2);
    }

    #[test]
    fn a_spool_of_another_database_is_left_alone() {
        let (_folder, place) = place(7);
        drop(place.make(SpoolId(1)).unwrap());
        let other = Place { database: DatabaseId(8), ..place.clone() };
        assert_eq!((left_behind(&other), left_behind(&place)), (vec![], vec![SpoolId(1)]));
    }

    #[test]
    fn other_files_are_left_alone() {
        let (_folder, place) = place(7);
        drop(place.make(SpoolId(1)).unwrap());
        for name in ["notes.txt", "0000000000000007-", "7-2", "0000000000000007-0000000000000002"] {
            fs::create_dir(place.path.join(name)).unwrap();
        }
        assert_eq!(left_behind(&place), [SpoolId(1)]);
    }

    #[test]
    fn a_folder_that_was_removed_is_gone() {
        let (_folder, place) = place(7);
        let folder = place.make(SpoolId(1)).unwrap();
        fs::write(folder.path.join("1.clicks"), "x").unwrap();
        folder.remove().unwrap();
        assert_eq!(left_behind(&place), []);
        assert_eq!(fs::read_dir(&place.path).unwrap().count(), 0);
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_named() {
        let (folder, place) = place(7);
        fs::write(folder.path().join("made"), "a file").unwrap();
        let error = place.make(SpoolId(1)).unwrap_err().to_string();
        assert!(error.contains("made/too") && error.contains("HNY_SPOOL_DIR"), "{error}");
    }
}
