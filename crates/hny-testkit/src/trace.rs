//! The system calls of a program: shown, or broken at a chosen one.

mod event;

pub use event::Event;

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Stdio};

/// A way to start the program under strace(1).
///
/// ```no_run
/// use hny_testkit::{Program, Strace, read_trace};
///
/// let program = Program::new("hny");
/// let file = program.folder().join("trace");
/// let hny = program.under(Strace::of("fdatasync,write,writev").command(&file)).start();
/// // requests, then hny.terminate() and hny.wait(…)
/// let calls = read_trace(&file);
/// ```
#[derive(Clone, Debug)]
pub struct Strace {
    calls: String,
    faults: Vec<String>,
}

impl Strace {
    /// Follows the calls of this comma-separated list (or a class such as `%network`), in all threads.
    pub fn of(calls: &str) -> Self {
        Self { calls: calls.to_owned(), faults: Vec::new() }
    }

    /// Breaks a call: `fdatasync:signal=SIGKILL:when=3` kills the program as it enters its third fdatasync, and
    /// `pwrite64:error=ENOSPC:when=2+` fills the disk from the second write on. strace counts for each thread.
    #[must_use]
    pub fn inject(mut self, fault: &str) -> Self {
        self.faults.push(fault.to_owned());
        self
    }

    /// The words for [`Program::under`](crate::Program::under), writing to `file`. Panics when strace is not there.
    pub fn command(&self, file: &Path) -> Vec<OsString> {
        assert!(present(), "strace is missing: run `cargo xtask test` as root, or `apt-get install strace`");
        // -D: the program is our own child, strace watches from the side. -yy: descriptors come with their files and
        // sockets. -qq: no talk of its own among the program's lines.
        let options = ["strace", "-D", "-f", "-qq", "-ttt", "-yy", "-a", "1", "-s", "256", "-e"];
        let mut words: Vec<OsString> = options.map(OsString::from).into();
        words.push(format!("trace={}", self.calls).into());
        for fault in &self.faults {
            words.extend(["-e".into(), format!("inject={fault}").into()]);
        }
        words.extend(["-o".into(), file.into()]);
        words
    }
}

fn present() -> bool {
    Command::new("strace")
        .arg("-V")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// The events in a trace file, in the order in which they began. Read it after the program has ended and was waited for.
pub fn read_trace(file: &Path) -> Vec<Event> {
    let bytes = std::fs::read(file).unwrap_or_else(|error| panic!("cannot read the trace {}: {error}", file.display()));
    event::parse(&String::from_utf8_lossy(&bytes)).unwrap_or_else(|line| panic!("not a line of strace: {line}"))
}

/// As [`read_trace`], while the program runs: what is written until now, in whole lines. Nothing before the file is there.
pub fn read_trace_so_far(file: &Path) -> Vec<Event> {
    let bytes = std::fs::read(file).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    event::parse(whole).unwrap_or_else(|line| panic!("not a line of strace: {line}"))
}

#[cfg(test)]
mod tests;
