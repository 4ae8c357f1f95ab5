//! What it costs to ask a million rules: the time of a question, by what the target is like, and the bytes of the rules.

#![expect(
    clippy::print_stdout,
    clippy::expect_used,
    reason = "figures are its data, and a bench that cannot be set up should end"
)]

use std::sync::LazyLock;

use divan::{Bencher, black_box};
use hny_guard::{BlockRule, Blocklist};

const RULES: usize = 1_000_000;

/// As many targets, so that what is asked is not in the processor's cache from the question before.
const TARGETS: usize = 100_000;

/// Two domains in three rules, and a URL.
static LIST: LazyLock<Blocklist> = LazyLock::new(|| (0..RULES).map(rule).collect());

fn rule(number: usize) -> BlockRule {
    let text = match number % 3 {
        0 => format!("https://host{number}.example/files/{number}/page.html"),
        1 => format!("evil{number}.example"),
        _ => format!("www.evil{number}.example.co.uk"),
    };
    BlockRule::parse(&text).expect("it is a domain or a URL")
}

fn main() {
    println!("rules {} bytes {}", RULES, LIST.usage().bytes);
    divan::main();
}

/// Asks about one target after the other.
fn ask(bencher: Bencher<'_, '_>, target: fn(usize) -> String) {
    let targets: Vec<String> = (0..TARGETS).map(|number| target(number * 10)).collect();
    let mut next = targets.iter().cycle();
    LazyLock::force(&LIST);
    bencher.bench_local(|| next.next().map(|target| LIST.check(black_box(target))));
}

#[divan::bench(sample_count = 21, sample_size = 20_000)]
fn an_article(bencher: Bencher<'_, '_>) {
    ask(bencher, |number| {
        format!("https://www.example{number}.com/articles/2026/11/keeping-bees-{number}?campaign=autumn&source=mail")
    });
}

#[divan::bench(sample_count = 21, sample_size = 20_000)]
fn a_page_of_its_own_host(bencher: Bencher<'_, '_>) {
    ask(bencher, |number| format!("https://example{number}.org/"));
}

#[divan::bench(sample_count = 21, sample_size = 20_000)]
fn a_listed_domain(bencher: Bencher<'_, '_>) {
    ask(bencher, |number| format!("https://a.b.evil{}.example/x", number / 3 * 3 + 1));
}

#[divan::bench(sample_count = 21, sample_size = 20_000)]
fn escapes_and_an_address(bencher: Bencher<'_, '_>) {
    ask(bencher, |number| format!("http://[::ffff:192.0.2.{}]/a%20b/{number}", number % 250));
}

#[divan::bench(sample_count = 21, sample_size = 20_000)]
fn beside_a_listed_url(bencher: Bencher<'_, '_>) {
    ask(bencher, |number| format!("https://host{}.example/files/2026/11/page.html?a=b", number / 3 * 3));
}
