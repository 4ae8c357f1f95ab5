//! How much memory a process has.

/// The memory that a process has taken for itself, in KiB: resident, and without the pages of files, of which a program has more the more
/// of it has run.
pub(crate) fn own_kib(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).expect("the process runs");
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).expect("a process has memory of its own");
    line.trim().trim_end_matches(" kB").parse().unwrap_or_else(|error| panic!("{line}: {error}"))
}
