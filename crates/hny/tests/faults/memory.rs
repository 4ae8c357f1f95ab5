//! How much memory a process has.

/// The resident memory of a process, in KiB.
pub(crate) fn resident_kib(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).expect("the process runs");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("a process has resident memory");
    line.trim().trim_end_matches(" kB").parse().unwrap_or_else(|error| panic!("{line}: {error}"))
}
