//! Schemathesis, from `PyPI`: it makes requests by a contract, good ones and bad ones, and looks whether the answers keep it.

use std::path::Path;
use std::process::{Command, Output};

use crate::python::installed;

/// The version whose checks are known to be kept.
const PACKAGE: &str = "schemathesis==4.32.5";

/// Tests the service that has its contract at `url`, in a folder that may have hooks in `hooks.py`; what was found.
pub fn schemathesis(url: &str, folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new("python3");
    command.args(["-m", "schemathesis.cli", "run", url]).args(arguments).current_dir(folder);
    command.env("PYTHONPATH", installed("hny-schemathesis", PACKAGE, &[])).env("SCHEMATHESIS_HOOKS", "hooks");
    command.output().unwrap_or_else(|error| panic!("cannot run {command:?}: {error}"))
}
