//! A real ClickHouse: the engine as the package `chdb-core` for Python, behind a front that speaks its HTTP interface.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::Command;

use rustix::process::Signal;
use tempfile::TempDir;

use crate::ports::free_port;
use crate::process::Process;
use crate::python::installed;
use crate::{Client, DEADLINE, Response};

/// How many ports are tried: between finding a free one and using it somebody else may take it.
const TRIES: u32 = 10;

/// The engine: the newest there is.
const PACKAGE: &str = "chdb-core>=26.9";

/// A ClickHouse on a free port of the loopback address, with its data in a temporary folder. Every answer is the engine's; the front
/// only hands on, and makes the faults that are asked for. Dropping it kills it.
pub struct ClickHouse {
    folder: TempDir,
    port: u16,
    process: Process,
}

impl ClickHouse {
    /// Starts one that is empty and lets everybody in.
    pub fn start() -> Self {
        let folder =
            TempDir::with_prefix("hny-clickhouse-").unwrap_or_else(|error| panic!("no temporary folder: {error}"));
        let started = (0..TRIES).find_map(|_| {
            let port = free_port();
            Some((port, spawn(&folder, port).ok()?))
        });
        let (port, process) = started.unwrap_or_else(|| {
            let said = spawn(&folder, free_port()).err().unwrap_or_default();
            panic!("ClickHouse does not start. It said:\n{said}")
        });
        Self { folder, port, process }
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        (Ipv4Addr::LOCALHOST, self.port).into()
    }

    /// Its URL.
    pub fn url(&self) -> String {
        format!("http://{}", self.address())
    }

    /// The number of its process.
    pub fn pid(&self) -> u32 {
        self.process.pid()
    }

    /// What the engine answers to a statement: a line for each row, with tabs between the columns.
    pub fn query(&self, sql: &str) -> String {
        self.try_query(sql).unwrap_or_else(|said| panic!("{sql}: {said}"))
    }

    /// What the engine answers to a statement, or what is wrong with that.
    pub fn try_query(&self, sql: &str) -> Result<String, String> {
        let answer = self.post("/", sql);
        let text = String::from_utf8_lossy(&answer.body).trim_end().to_owned();
        if answer.status == 200 { Ok(text) } else { Err(text) }
    }

    /// Refuses this many inserts: the engine does not see them.
    pub fn refuse_inserts(&self, count: u32) {
        self.fault(&format!("refuse={count}"));
    }

    /// Has the engine take this many inserts whose answer is lost: the connection is closed without one.
    pub fn lose_answers(&self, count: u32) {
        self.fault(&format!("lose={count}"));
    }

    /// Has every insert wait before the engine sees it.
    pub fn slow_inserts(&self, millis: u32) {
        self.fault(&format!("slow_ms={millis}"));
    }

    /// How many refusals and losses are still due.
    fn fault(&self, what: &str) {
        assert_eq!(self.post(&format!("/faults?{what}"), "").status, 200);
    }

    fn post(&self, path: &str, body: &str) -> Response {
        Client::connect(self.address()).request("POST", path, &[], body.as_bytes())
    }

    /// Kills it (SIGKILL), as a crash would, and returns when it is gone.
    pub fn kill(&mut self) {
        self.process.signal(Signal::KILL);
        assert!(self.process.wait(DEADLINE).is_some(), "ClickHouse still runs after SIGKILL");
    }

    /// Freezes it (SIGSTOP) until [`resume`](Self::resume): connections stay open, nothing is answered.
    pub fn pause(&self) {
        self.process.pause();
    }

    /// Lets it go on after [`pause`](Self::pause).
    pub fn resume(&self) {
        self.process.signal(Signal::CONT);
    }

    /// Starts it again on the same port and folder after [`kill`](Self::kill).
    pub fn start_again(&mut self) {
        self.process = spawn(&self.folder, self.port)
            .unwrap_or_else(|said| panic!("ClickHouse did not start again on port {}:\n{said}", self.port));
    }
}

/// Starts it and waits until it takes connections; when it ends before that, what it said.
fn spawn(folder: &TempDir, port: u16) -> Result<Process, String> {
    let front = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/clickhouse/front.py");
    let mut command = Command::new("python3");
    command.arg(front).arg(engine()).arg(folder.path().join("data")).arg(port.to_string());
    let process = Process::spawn(&mut command);
    let ready = |line: &str| (line.trim_end() == "listening").then_some(());
    match process.stdout.wait_for(ready, DEADLINE) {
        Ok(()) => Ok(process),
        Err(_) => Err(process.stderr.text()),
    }
}

/// Where the engine is.
fn engine() -> PathBuf {
    // What it says that it depends on is for data frames, which nobody asks for here.
    installed("hny-clickhouse", PACKAGE, &["--no-deps"])
}

#[cfg(test)]
mod tests;
