//! Where the programs of PostgreSQL are, and as whom they run.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Where Debian keeps each major version, which it does not put into PATH.
const VERSIONS: &str = "/usr/lib/postgresql";

/// Where a program is: that of the newest version, or what PATH has.
pub(super) fn path(program: &str) -> PathBuf {
    let versions = std::fs::read_dir(VERSIONS).into_iter().flatten().flatten();
    let number = |path: &Path| path.file_name()?.to_str()?.parse::<u32>().ok();
    let newest = versions.map(|entry| entry.path()).filter(|path| path.join("bin/postgres").exists());
    let newest = newest.max_by_key(|path| number(path));
    newest.map_or_else(|| program.into(), |path| path.join("bin").join(program))
}

/// A program of PostgreSQL.
pub(super) fn command(program: &str) -> Command {
    as_server_user(path(program))
}

/// A program that runs as whom a server may run: anyone but root.
pub(super) fn as_server_user(program: impl AsRef<std::ffi::OsStr>) -> Command {
    let mut command = if rustix::process::geteuid().is_root() {
        let mut command = Command::new("setpriv");
        command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups", "--"]).arg(program);
        command
    } else {
        Command::new(program)
    };
    // A folder that the other user may be in.
    command.current_dir("/");
    command
}
