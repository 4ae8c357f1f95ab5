//! A child process that is always reaped, whose end can be waited for with a deadline.

use crate::talk::Talk;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::{AsFd, OwnedFd};
use rustix::process::{Pid, PidfdFlags, Signal, WaitId, WaitIdOptions, pidfd_open, pidfd_send_signal, waitid};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// A child whose output is kept. A process file descriptor names it, so a signal can never reach another process that
/// was given the same number.
pub(crate) struct Process {
    child: Child,
    handle: OwnedFd,
    pub(crate) stdout: Talk,
    pub(crate) stderr: Talk,
}

impl Process {
    /// Starts `command` with no input and listens to what it says.
    pub(crate) fn spawn(command: &mut Command) -> Self {
        let spawned = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let mut child = spawned.unwrap_or_else(|error| panic!("cannot start {command:?}: {error}"));
        let handle = pidfd_open(Pid::from_child(&child), PidfdFlags::empty())
            .unwrap_or_else(|error| panic!("no process file descriptor (Linux 5.3 or later has them): {error}"));
        let (Some(stdout), Some(stderr)) = (child.stdout.take(), child.stderr.take()) else {
            unreachable!("both streams were asked for as pipes");
        };
        Self { child, handle, stdout: Talk::listen(stdout), stderr: Talk::listen(stderr) }
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Sends `signal`; a process that has ended already does not mind.
    pub(crate) fn signal(&self, signal: Signal) {
        match pidfd_send_signal(&self.handle, signal) {
            Ok(()) | Err(rustix::io::Errno::SRCH) => {}
            Err(error) => panic!("cannot send {signal:?} to process {}: {error}", self.pid()),
        }
    }

    /// Freezes it (SIGSTOP), and returns when all its threads stand still: they do not at the moment when the signal is sent.
    pub(crate) fn pause(&self) {
        self.signal(Signal::STOP);
        let stopped_or_ended = WaitIdOptions::STOPPED | WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        while let Err(error) = waitid(WaitId::PidFd(self.handle.as_fd()), stopped_or_ended) {
            assert_eq!(error, rustix::io::Errno::INTR, "cannot wait for process {} to stop", self.pid());
        }
    }

    /// How the process ended, or `None` when it still runs after `deadline`. Its output is complete afterwards.
    pub(crate) fn wait(&mut self, deadline: Duration) -> Option<ExitStatus> {
        if !self.ends_within(deadline) {
            return None;
        }
        let status = self.child.wait().unwrap_or_else(|error| panic!("cannot reap process {}: {error}", self.pid()));
        self.stdout.finish(deadline).ok()?;
        self.stderr.finish(deadline).ok()?;
        Some(status)
    }

    fn ends_within(&self, deadline: Duration) -> bool {
        let end = Instant::now() + deadline;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let left = Timespec {
                tv_sec: i64::try_from(left.as_secs()).unwrap_or(i64::MAX),
                tv_nsec: left.subsec_nanos().into(),
            };
            match poll(&mut [PollFd::new(&self.handle, PollFlags::IN)], Some(&left)) {
                Ok(ready) => return ready > 0,
                Err(rustix::io::Errno::INTR) => {}
                Err(error) => panic!("cannot wait for process {}: {error}", self.pid()),
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // `Child` remembers that it was reaped, and then neither of these touches a process.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs a command that must succeed; what it wrote.
pub(crate) fn finish(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("cannot run {command:?}: {error}"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?} failed ({}): {said}", output.status);
    String::from_utf8_lossy(&output.stdout).into_owned()
}
