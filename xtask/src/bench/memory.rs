//! How much memory a process has.

use super::BenchError;

/// Memory of a process, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Memory {
    /// All that is in memory, with the pages of files that it has mapped and that others share.
    pub(super) resident: u64,
    /// What is its own alone.
    pub(super) own: u64,
}

impl Memory {
    pub(super) fn of(pid: u32) -> Result<Self, BenchError> {
        let status = std::fs::read_to_string(format!("/proc/{pid}/status"));
        let memory = status.map(|status| read(&status));
        let memory = memory.and_then(|memory| memory.ok_or_else(|| std::io::Error::other("no account of memory")));
        memory.map_err(|source| BenchError::Account { pid, source })
    }
}

fn read(status: &str) -> Option<Memory> {
    let bytes = |name| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        Some(line.trim().strip_suffix(" kB")?.parse::<u64>().ok()? * 1024)
    };
    Some(Memory { resident: bytes("VmRSS:")?, own: bytes("RssAnon:")? })
}

#[test]
fn the_account_is_read() {
    let status = "Name:\ta\nVmRSS:\t    3456 kB\nRssAnon:\t     120 kB\n";
    assert_eq!(read(status), Some(Memory { resident: 3456 * 1024, own: 120 * 1024 }));
    assert_eq!(read("VmRSS:\t1 kB\n"), None);
    assert!(Memory::of(std::process::id()).expect("we are running").own > 0);
}
