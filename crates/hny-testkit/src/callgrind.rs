//! Counting instructions with callgrind: a figure that does not depend on the machine's load.

use crate::{Client, DEADLINE, Program};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// As many redirects are followed in the shorter of two runs, and twice as many in the longer.
const REDIRECTS: u32 = 1000;

/// How many instructions the program at `binary` takes for a redirect whose link is in its cache, and the file with the
/// account of the longer run, which lies in `folder`, for `callgrind_annotate`.
///
/// What the program does only once, such as starting, is in both runs and falls out of their difference. What other threads
/// do now and then is in it, and is less than one in a hundred.
pub fn redirect_instructions(binary: &Path, folder: &Path) -> (u64, PathBuf) {
    assert!(present(), "valgrind is missing: run `cargo xtask test` as root, or `apt-get install valgrind`");
    let account = |name: &str| folder.join(format!("callgrind.out.{name}"));
    let (short, long) = (account("short"), account("long"));
    let (fewer, more) = std::thread::scope(|scope| {
        let fewer = scope.spawn(|| instructions(binary, &short, REDIRECTS));
        let more = instructions(binary, &long, 2 * REDIRECTS);
        (fewer.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)), more)
    });
    (more.saturating_sub(fewer) / u64::from(REDIRECTS), long)
}

fn present() -> bool {
    let mut valgrind = Command::new("valgrind");
    valgrind.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
    valgrind.status().is_ok_and(|status| status.success())
}

/// All instructions of a run in which a link is made and followed so many times.
fn instructions(binary: &Path, account: &Path, redirects: u32) -> u64 {
    let file = format!("--callgrind-out-file={}", account.display());
    let program = Program::new(binary).env("HNY_THREADS", "1").under(["valgrind", "-q", "--tool=callgrind", &file]);
    let mut running = program.start();
    let mut client = Client::connect(running.address());
    let link = serde_json::json!({ "originalUrl": "https://example.com/articles/a-page", "customCode": "abcdefg" });
    let made = client.post_json("/api/shorten", &link);
    assert_eq!(made.status, 201, "{made:?}");
    let agent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
    for _ in 0..redirects {
        let answer = client.request("GET", "/abcdefg", &[("User-Agent", agent), ("Accept", "*/*")], b"");
        assert_eq!(answer.status, 302, "{answer:?}");
    }
    running.terminate();
    running.wait(DEADLINE);
    let text = std::fs::read_to_string(account)
        .unwrap_or_else(|error| panic!("callgrind has left no {}: {error}", account.display()));
    sum(&text).unwrap_or_else(|| panic!("no sum in {}", account.display()))
}

/// The sum of an account.
fn sum(account: &str) -> Option<u64> {
    account.lines().find_map(|line| line.strip_prefix("summary: "))?.trim().parse().ok()
}

#[test]
fn the_sum_is_found() {
    assert_eq!(sum("events: Ir\nsummary: 22048973\n\nfn=(1) a\n"), Some(22_048_973));
    assert_eq!(sum("events: Ir\n"), None);
}
