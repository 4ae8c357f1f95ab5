//! Signals for a server with all its processes.

use rustix::process::{Pid, Signal, kill_process};

/// Sends a signal to a process and its children: first to the parent, so that it makes no more of them.
pub(super) fn signal_all(parent: i32, signal: Signal) {
    send(parent, signal);
    for child in children(parent) {
        send(child, signal);
    }
}

fn send(process: i32, signal: Signal) {
    // One that has just ended does not mind.
    if let Some(process) = Pid::from_raw(process) {
        let _ = kill_process(process, signal);
    }
}

/// The processes that this one has made.
pub(super) fn children(parent: i32) -> Vec<i32> {
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let processes = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    processes.filter(|process| parent_of(*process) == Some(parent)).collect()
}

/// The fourth word of `/proc/…/stat`; the second is a name in brackets, which may have anything in it.
fn parent_of(process: i32) -> Option<i32> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
}
