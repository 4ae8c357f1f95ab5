//! A tracer that is set on a program that runs.

use std::ffi::OsString;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, ChildStderr, Command, Stdio};
use std::time::Instant;

use crate::DEADLINE;

/// How many microseconds a thread is held at most: longer than any test takes.
const LONGEST: &str = "3600000000";

/// As long as it is there, it does to a program what it was made for. Then the program goes on without it.
///
/// To trace what is not one's own child one has to be root, or `kernel.yama.ptrace_scope` has to be 0.
#[derive(Debug)]
pub struct Tracer {
    strace: Child,
    /// Open, or it would end with the next word.
    _words: BufReader<ChildStderr>,
}

impl Tracer {
    /// Holds the thread with this name at its next system call.
    pub(crate) fn holding(pid: u32, thread: &str) -> Self {
        Self::attach(&[thread_of(pid, thread)], "all", &format!("delay_enter={LONGEST}"))
    }

    /// Kills the program as one of its threads, or the one with this name, enters one of these calls, for the `time`th time from now on.
    pub(crate) fn killing(pid: u32, thread: Option<&str>, calls: &str, time: usize) -> Self {
        let whom = thread.map_or_else(|| vec!["-f".into(), pid.to_string().into()], |name| vec![thread_of(pid, name)]);
        Self::attach(&whom, calls, &format!("signal=SIGKILL:when={time}"))
    }

    fn attach(whom: &[OsString], calls: &str, fault: &str) -> Self {
        let (thread, options) = whom.split_last().unwrap_or_else(|| unreachable!("somebody is traced"));
        let mut strace = Command::new("strace");
        let expressions = [format!("trace={calls}"), format!("inject={calls}:{fault}")];
        strace.args(["-o", "/dev/null", "-e", &expressions[0], "-e", &expressions[1]]);
        strace.args(options).arg("-p").arg(thread).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut strace = strace.spawn().unwrap_or_else(|error| panic!("cannot start strace: {error}"));
        let stderr = strace.stderr.take().unwrap_or_else(|| unreachable!("it was asked for as a pipe"));
        let (mut words, mut said) = (BufReader::new(stderr), String::new());
        words.read_line(&mut said).unwrap_or_else(|error| panic!("strace cannot be heard: {error}"));
        assert!(said.contains("attached"), "strace cannot trace a program that runs (as root it can): {said}");
        Self { strace, _words: words }
    }
}

/// The number of the thread with this name. A thread gives itself its name when it begins, which may be after the program has said that it is
/// ready.
fn thread_of(pid: u32, name: &str) -> OsString {
    let start = Instant::now();
    loop {
        if let Some(number) = find_thread(pid, name) {
            return number;
        }
        assert!(start.elapsed() < DEADLINE, "process {pid} has no thread {name:?} within {DEADLINE:?}");
    }
}

fn find_thread(pid: u32, name: &str) -> Option<OsString> {
    let has_name = |thread: &PathBuf| fs::read_to_string(thread.join("comm")).is_ok_and(|comm| comm.trim_end() == name);
    let threads = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    threads.map(|entry| entry.path()).find(has_name)?.file_name().map(ToOwned::to_owned)
}

impl Drop for Tracer {
    fn drop(&mut self) {
        // When its tracer is gone, a thread goes on.
        let _ = self.strace.kill();
        let _ = self.strace.wait();
    }
}
