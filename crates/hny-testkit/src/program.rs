//! What to start: the program, its folder, its environment.

use crate::DEADLINE;
use crate::process::Process;
use crate::running::{Running, announced};
use crate::talk::Silence;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;
use tempfile::TempDir;

/// A program to start, once or several times. It runs in a temporary folder that is removed with the last value that
/// uses it, on a free port of the loopback address, with an SQLite database in that folder. All tests are one client, so it has no
/// limits for clients unless a test sets them. Settings (`HNY_…`) of the person who runs the tests never reach it.
#[derive(Clone, Debug)]
pub struct Program {
    binary: PathBuf,
    folder: Folder,
    environment: BTreeMap<OsString, OsString>,
    arguments: Vec<OsString>,
    wrapper: Vec<OsString>,
}

#[derive(Clone, Debug)]
enum Folder {
    Temporary(Arc<TempDir>),
    Given(PathBuf),
}

impl Program {
    /// The program at `binary` (a test passes `env!("CARGO_BIN_EXE_hny")`) in a new temporary folder.
    pub fn new(binary: impl AsRef<Path>) -> Self {
        let folder = TempDir::with_prefix("hny-test-").unwrap_or_else(|error| panic!("no temporary folder: {error}"));
        let program = Self {
            binary: binary.as_ref().to_owned(),
            folder: Folder::Temporary(Arc::new(folder)),
            environment: BTreeMap::new(),
            arguments: Vec::new(),
            wrapper: Vec::new(),
        };
        let program = program.env("HNY_CREATE_LIMIT", "off").env("HNY_UNKNOWN_LIMIT", "off");
        program.env("HNY_LISTEN", "127.0.0.1:0").on_database_of_its_folder()
    }

    /// Where it runs and keeps its database.
    pub fn folder(&self) -> &Path {
        match &self.folder {
            Folder::Temporary(folder) => folder.path(),
            Folder::Given(path) => path,
        }
    }

    /// The database file.
    pub fn database(&self) -> PathBuf {
        self.folder().join("hny.db")
    }

    /// Runs in `folder`, which must exist and is not removed, and on the database there.
    #[must_use]
    pub fn in_folder(mut self, folder: impl AsRef<Path>) -> Self {
        self.folder = Folder::Given(folder.as_ref().to_owned());
        self.on_database_of_its_folder()
    }

    /// Runs in the folder of `other`, and on the same database. (`clone` does so too, with the same settings.)
    #[must_use]
    pub fn beside(mut self, other: &Self) -> Self {
        self.folder = other.folder.clone();
        self.on_database_of_its_folder()
    }

    fn on_database_of_its_folder(self) -> Self {
        let mut url = OsString::from("sqlite:");
        url.push(self.database());
        self.env("HNY_DATABASE_URL", url)
    }

    /// Sets an environment variable.
    #[must_use]
    pub fn env(mut self, name: impl AsRef<OsStr>, value: impl AsRef<OsStr>) -> Self {
        self.environment.insert(name.as_ref().to_owned(), value.as_ref().to_owned());
        self
    }

    /// Takes back what [`env`](Self::env) or the defaults of this type set.
    #[must_use]
    pub fn without_env(mut self, name: impl AsRef<OsStr>) -> Self {
        self.environment.remove(name.as_ref());
        self
    }

    /// Adds an argument after `serve`; [`run`](Self::run) does not use it.
    #[must_use]
    pub fn arg(mut self, argument: impl AsRef<OsStr>) -> Self {
        self.arguments.push(argument.as_ref().to_owned());
        self
    }

    /// Starts it under another command, such as [`Strace::command`](crate::Strace::command) or
    /// `["nice", "-n", "10"]`. The command must *become* the program (as `nice`, `env` and `strace -D` do), because
    /// signals go to that process.
    #[must_use]
    pub fn under<W: AsRef<OsStr>>(mut self, command: impl IntoIterator<Item = W>) -> Self {
        self.wrapper = command.into_iter().map(|word| word.as_ref().to_owned()).collect();
        self
    }

    /// Starts `serve` and returns when it listens. Panics with what it said if it ends, or says no address in time.
    pub fn start(&self) -> Running {
        self.try_start().unwrap_or_else(|output| {
            panic!("the program ended ({}) before it listened. It said:\n{}", output.status, both(&output))
        })
    }

    /// Starts `serve`; when the program ends instead of listening, that is the answer, with all that it said.
    pub fn try_start(&self) -> Result<Running, Output> {
        let arguments = std::iter::once(OsStr::new("serve")).chain(self.arguments.iter().map(OsString::as_os_str));
        let started = self.start_until(arguments, |line| announced(line, "listening on http://"));
        started.map(|(process, address)| Running::new(self.clone(), process, Some(address)))
    }

    /// Starts a command that goes on and does not listen, and returns when it has said `ready`. Panics with what it said if it ends
    /// before.
    pub fn start_command<A: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = A>, ready: &str) -> Running {
        self.try_start_command(arguments, ready).unwrap_or_else(|output| {
            panic!("the program ended ({}) before it said {ready:?}. It said:\n{}", output.status, both(&output))
        })
    }

    /// Starts a command that goes on; when it ends before it has said `ready`, that is the answer, with all that it said.
    pub fn try_start_command<A: AsRef<OsStr>>(
        &self,
        arguments: impl IntoIterator<Item = A>,
        ready: &str,
    ) -> Result<Running, Output> {
        let said = |line: &str| line.contains(ready).then_some(());
        self.start_until(arguments, said).map(|(process, ())| Running::new(self.clone(), process, None))
    }

    /// Starts it and waits for a line for which `find` has an answer.
    fn start_until<A: AsRef<OsStr>, T>(
        &self,
        arguments: impl IntoIterator<Item = A>,
        find: impl Fn(&str) -> Option<T>,
    ) -> Result<(Process, T), Output> {
        let process = Process::spawn(&mut self.command(arguments));
        match process.stderr.wait_for(find, DEADLINE) {
            Ok(found) => Ok((process, found)),
            Err(Silence::Closed) => Err(finish(process)),
            Err(Silence::Late) => panic!(
                "the program did not say within {DEADLINE:?} that it is ready. It said:\n{}",
                process.stderr.text()
            ),
        }
    }

    /// Runs the program once with `arguments`, in the same folder and environment, until it ends.
    pub fn run<A: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = A>) -> Output {
        finish(Process::spawn(&mut self.command(arguments)))
    }

    fn command<A: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = A>) -> Command {
        let mut words = self.wrapper.iter().map(OsString::as_os_str).chain([self.binary.as_os_str()]);
        let mut command = Command::new(words.next().unwrap_or(self.binary.as_os_str()));
        command.args(words).args(arguments).current_dir(self.folder());
        for (name, _) in std::env::vars_os() {
            if name.as_encoded_bytes().starts_with(b"HNY_") {
                command.env_remove(name);
            }
        }
        command.envs(&self.environment);
        command
    }
}

/// Waits for a process that should end, and panics with its words when it does not.
fn finish(mut process: Process) -> Output {
    let status = process.wait(DEADLINE).unwrap_or_else(|| {
        let said = process.stderr.text();
        panic!("the program did not end within {DEADLINE:?}. It said:\n{said}")
    });
    Output { status, stdout: process.stdout.bytes(), stderr: process.stderr.bytes() }
}

fn both(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}
