//! A real Redis.

use std::net::{Ipv4Addr, SocketAddr};
use std::process::{Command, Stdio};

use rustix::process::Signal;
use tempfile::TempDir;

use crate::DEADLINE;
use crate::ports::free_port;
use crate::process::Process;

/// How many ports are tried: between finding a free one and using it somebody else may take it.
const TRIES: u32 = 10;

/// A `redis-server` on a free port of the loopback address, with its files in a temporary folder. It saves nothing unless
/// told so. Dropping it kills it.
pub struct Redis {
    folder: TempDir,
    arguments: Vec<String>,
    port: u16,
    process: Process,
}

impl Redis {
    /// Starts one that is empty and lets everybody in.
    pub fn start() -> Self {
        Self::start_with(&[])
    }

    /// Starts one with further arguments, such as `["--requirepass", "secret"]`.
    pub fn start_with(arguments: &[&str]) -> Self {
        let folder = TempDir::with_prefix("hny-redis-").unwrap_or_else(|error| panic!("no temporary folder: {error}"));
        let arguments: Vec<String> = arguments.iter().map(|&word| word.to_owned()).collect();
        let started = (0..TRIES).find_map(|_| {
            let port = free_port();
            Some((port, spawn(&folder, &arguments, port)?))
        });
        let (port, process) = started.unwrap_or_else(|| panic!("redis-server did not start on {TRIES} ports"));
        Self { folder, arguments, port, process }
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        (Ipv4Addr::LOCALHOST, self.port).into()
    }

    /// Its URL, without a password.
    pub fn url(&self) -> String {
        format!("redis://{}", self.address())
    }

    /// The number of its process.
    pub fn pid(&self) -> u32 {
        self.process.pid()
    }

    /// What it answers to a command, as `redis-cli` shows it: `"text"`, `(integer) 1`, `(nil)`, `OK`.
    pub fn command(&self, words: &[&str]) -> String {
        let mut cli = Command::new("redis-cli");
        cli.args(["--no-raw", "-h", "127.0.0.1", "-p", &self.port.to_string()]).args(words).stdin(Stdio::null());
        let output = cli.output().unwrap_or_else(|error| panic!("cannot start redis-cli: {error}"));
        let said = String::from_utf8_lossy(&output.stdout).trim_end().to_owned();
        assert!(output.status.success() && !said.starts_with("(error)"), "{words:?}: {said}");
        said
    }

    /// Has it write what it holds to its folder, where [`start_again`](Self::start_again) finds it.
    pub fn save(&self) {
        assert_eq!(self.command(&["SAVE"]), "OK");
    }

    /// Kills it (SIGKILL), as a crash would, and returns when it is gone.
    pub fn kill(&mut self) {
        self.process.signal(Signal::KILL);
        assert!(self.process.wait(DEADLINE).is_some(), "redis-server still runs after SIGKILL");
    }

    /// Freezes it (SIGSTOP) until [`resume`](Self::resume): connections stay open, nothing is answered.
    pub fn pause(&self) {
        self.process.signal(Signal::STOP);
    }

    /// Lets it go on after [`pause`](Self::pause).
    pub fn resume(&self) {
        self.process.signal(Signal::CONT);
    }

    /// Starts it again on the same port after [`kill`](Self::kill), with what it saved last.
    pub fn start_again(&mut self) {
        self.process = spawn(&self.folder, &self.arguments, self.port)
            .unwrap_or_else(|| panic!("redis-server did not start again on port {}", self.port));
    }

    /// Starts it again on the same port after [`kill`](Self::kill), with nothing in it.
    pub fn start_again_empty(&mut self) {
        let dump = self.folder.path().join("dump.rdb");
        if dump.exists() {
            std::fs::remove_file(&dump).unwrap_or_else(|error| panic!("cannot remove {}: {error}", dump.display()));
        }
        self.start_again();
    }
}

/// Starts it and waits until it takes connections; `None` when it ends before that.
fn spawn(folder: &TempDir, arguments: &[String], port: u16) -> Option<Process> {
    let mut command = Command::new("redis-server");
    command.args(["--bind", "127.0.0.1", "--port", &port.to_string(), "--save", ""]);
    command.arg("--dir").arg(folder.path()).args(arguments);
    let process = Process::spawn(&mut command);
    let ready = |line: &str| line.contains("Ready to accept connections").then_some(());
    process.stdout.wait_for(ready, DEADLINE).ok().map(|()| process)
}
