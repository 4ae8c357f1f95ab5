//! Files beside the database whose locks processes agree by.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

/// `hny.db-lock` for `hny.db` and `-lock`, beside the file itself and not beside a link to it: all names of a file have one lock.
pub(super) fn beside(path: &Path, ending: &str) -> io::Result<PathBuf> {
    let mut name = OsString::from(path.canonicalize()?);
    name.push(ending);
    Ok(name.into())
}
