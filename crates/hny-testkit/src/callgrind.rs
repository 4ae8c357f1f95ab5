//! Counting instructions with callgrind: a figure that does not depend on the machine's load.

use crate::{Client, DEADLINE, Program};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// As many redirects are followed in the shorter of two runs, and twice as many in the longer.
const REDIRECTS: u32 = 1000;

/// What is in the account of each thread that answers visitors, by the name of a module that no other thread comes to.
const ANSWERS: &str = "event_loop";

/// How many instructions the program at `binary` takes for a redirect whose link is in its cache, on the thread that answers it,
/// and the file with its account of the longer run, which lies in `folder`, for `callgrind_annotate`.
///
/// What the thread does only once, such as starting, is in both runs and falls out of their difference. What other threads make of the
/// click afterwards is not in it.
pub fn redirect_instructions(binary: &Path, folder: &Path) -> (u64, PathBuf) {
    assert!(present(), "valgrind is missing: run `cargo xtask test` as root, or `apt-get install valgrind`");
    let account = |name: &str| folder.join(format!("callgrind.out.{name}"));
    let (short, long) = (account("short"), account("long"));
    let (fewer, more) = std::thread::scope(|scope| {
        let fewer = scope.spawn(|| instructions(binary, &short, REDIRECTS));
        let more = instructions(binary, &long, 2 * REDIRECTS);
        (fewer.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)), more)
    });
    let (more, account) = more;
    (more.saturating_sub(fewer.0) / u64::from(REDIRECTS), account)
}

fn present() -> bool {
    let mut valgrind = Command::new("valgrind");
    valgrind.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
    valgrind.status().is_ok_and(|status| status.success())
}

/// The instructions of a run in which a link is made and followed so many times, and the account of whoever answered most.
fn instructions(binary: &Path, account: &Path, redirects: u32) -> (u64, PathBuf) {
    let file = format!("--callgrind-out-file={}", account.display());
    let callgrind = ["valgrind", "-q", "--tool=callgrind", "--separate-threads=yes", &file];
    let program = Program::new(binary).env("HNY_THREADS", "1").under(callgrind);
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
    let sums =
        accounts(account).filter_map(|(path, text)| Some((sum(&text).filter(|_| text.contains(ANSWERS))?, path)));
    let sums: Vec<_> = sums.collect();
    // The thread that starts all others comes to that module, too: once.
    let answers = sums.iter().max().map(|(_, path)| path.clone());
    let answers = answers.unwrap_or_else(|| panic!("no account of who answered beside {}", account.display()));
    (sums.iter().map(|(sum, _)| sum).sum(), answers)
}

/// The account of each thread.
fn accounts(account: &Path) -> impl Iterator<Item = (PathBuf, String)> {
    (1..).map_while(|thread| {
        let path = PathBuf::from(format!("{}-{thread:02}", account.display()));
        Some((path.clone(), std::fs::read_to_string(path).ok()?))
    })
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
