//! A started program: where it answers, what it says, how it ends.

use crate::process::Process;
use crate::talk::Silence;
use crate::writes::Writes;
use crate::{DEADLINE, Program, Tracer};
use rustix::process::{Pid, Resource, Rlimit, Signal, prlimit};
use std::net::SocketAddr;
use std::process::ExitStatus;
use std::time::Duration;

/// A program that listens. Dropping it kills and reaps it; when the test has failed, what it said is shown then.
pub struct Running {
    program: Program,
    process: Process,
    /// `None` for one that does not listen.
    address: Option<SocketAddr>,
}

impl Running {
    pub(crate) fn new(program: Program, process: Process, address: Option<SocketAddr>) -> Self {
        Self { program, process, address }
    }

    /// Where it answers the public.
    pub fn address(&self) -> SocketAddr {
        self.address.unwrap_or_else(|| panic!("it does not listen"))
    }

    /// Where it serves `/metrics`; waits until it has said so, which it does when `HNY_METRICS_LISTEN` is set.
    pub fn metrics_address(&self) -> SocketAddr {
        self.wait_for_line(|line| announced(line, "metrics on http://"))
    }

    /// The absolute URL of `path` on the public address.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address())
    }

    /// What was started, to run commands in the same folder or to start it again after its end.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The number of its process.
    pub fn pid(&self) -> u32 {
        self.process.pid()
    }

    /// What it said on the standard error stream until now; all of it after [`wait`](Self::wait).
    pub fn stderr(&self) -> String {
        self.process.stderr.text()
    }

    /// What it wrote to the standard output until now; all of it after [`wait`](Self::wait).
    pub fn stdout(&self) -> String {
        self.process.stdout.text()
    }

    /// The first line on the standard error stream, early or still to come, for which `find` has an answer.
    pub fn wait_for_line<T>(&self, find: impl Fn(&str) -> Option<T>) -> T {
        self.process.stderr.wait_for(find, DEADLINE).unwrap_or_else(|silence| match silence {
            Silence::Closed => panic!("the program ended without the expected line"),
            Silence::Late => panic!("the expected line did not come within {DEADLINE:?}"),
        })
    }

    /// Asks it to stop (SIGTERM) and returns at once.
    pub fn terminate(&self) {
        self.process.signal(Signal::TERM);
    }

    /// Interrupts it (SIGINT) as Ctrl-C would, and returns at once.
    pub fn interrupt(&self) {
        self.process.signal(Signal::INT);
    }

    /// Lets no file of it grow beyond this size, until the next call; `None` takes the limit away. The program must have
    /// been started to ignore SIGXFSZ (`sh -c "trap '' XFSZ; …"`), or it dies where a full disk would tell it so.
    pub fn limit_file_size(&self, bytes: Option<u64>) {
        let pid = Pid::from_raw(self.pid().cast_signed());
        let limit = Rlimit { current: bytes, maximum: None };
        prlimit(pid, Resource::Fsize, limit).unwrap_or_else(|error| panic!("cannot limit file sizes: {error}"));
    }

    /// Kills it (SIGKILL) as a crash would. Call [`wait`](Self::wait) before relying on its being gone.
    pub fn kill(&self) {
        self.process.signal(Signal::KILL);
    }

    /// Freezes it (SIGSTOP) until [`resume`](Self::resume).
    pub fn pause(&self) {
        self.process.pause();
    }

    /// Freezes it at a moment when it writes nothing to its SQLite file, nor waits for its turn to: stopped within a write it would
    /// keep everybody else from writing.
    pub fn pause_between_writes(&self) {
        let writes = Writes::of(self.program());
        loop {
            self.pause();
            if writes.is_nobodys_turn() {
                return;
            }
            self.resume();
        }
    }

    /// Lets it go on after [`pause`](Self::pause).
    pub fn resume(&self) {
        self.process.signal(Signal::CONT);
    }

    /// Holds its thread with this name until the tracer is dropped, while all others go on.
    #[must_use]
    pub fn hold_thread(&self, name: &str) -> Tracer {
        Tracer::holding(self.pid(), name)
    }

    /// Has it killed as one of its threads, or only that with this name, enters one of these calls, for the `time`th time from now on.
    /// strace counts for each thread and call. Nothing happens any more when the tracer is dropped.
    #[must_use]
    pub fn kill_at(&self, thread: Option<&str>, calls: &str, time: usize) -> Tracer {
        Tracer::killing(self.pid(), thread, calls, time)
    }

    /// How it ended, or `None` when it still runs after `time`.
    pub fn wait_at_most(&mut self, time: Duration) -> Option<ExitStatus> {
        self.process.wait(time)
    }

    /// Waits for its end; panics when it still runs after `deadline`.
    pub fn wait(&mut self, deadline: Duration) -> ExitStatus {
        self.process.wait(deadline).unwrap_or_else(|| panic!("the program still runs after {deadline:?}"))
    }

    /// Starts it again on the same address after its end.
    pub fn start_again(&mut self) {
        *self = self.program.clone().env("HNY_LISTEN", self.address().to_string()).start();
    }
}

impl Drop for Running {
    #[expect(clippy::print_stderr, reason = "the harness shows it with the failed test")]
    fn drop(&mut self) {
        if std::thread::panicking() {
            let place = self.address.map(|address| format!(" on {address}")).unwrap_or_default();
            eprintln!("the program{place} said:\n{}", self.stderr());
        }
    }
}

/// The address that follows `phrase` in `line`, which may go on with anything that no address contains.
pub(crate) fn announced(line: &str, phrase: &str) -> Option<SocketAddr> {
    let (_, rest) = line.split_once(phrase)?;
    let end = rest.find(|c: char| !c.is_ascii_hexdigit() && !".:[]".contains(c)).unwrap_or(rest.len());
    // A full stop after the address belongs to the sentence.
    rest[..end].trim_end_matches(['.', ':']).parse().ok()
}

#[cfg(test)]
mod tests;
