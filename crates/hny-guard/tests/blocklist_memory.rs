//! What a million rules take of the machine's memory. (Alone in its process, so that nothing else is measured.)

#![cfg(test)]

use hny_guard::{BlockRule, Blocklist};

const RULES: usize = 1_000_000;
const MB: usize = 1_000_000;

/// The memory of this process that is no file's, in bytes.
fn memory() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<usize>().unwrap() * 1024
}

#[test]
fn a_million_rules_take_sixteen_megabytes_at_most() {
    let before = memory();
    let list: Blocklist =
        (0..RULES).map(|number| BlockRule::parse(&format!("host{number}.evil.example")).unwrap()).collect();
    let (counted, taken) = (list.usage().bytes, memory() - before);
    assert_eq!(list.usage().files, RULES);
    assert!((12 * MB..=16 * MB).contains(&counted), "{counted} bytes");
    assert!(taken <= 17 * MB, "{taken} bytes of the machine's, which includes its leftovers");
    assert!(list.check("https://host999999.evil.example/").is_err() && list.check("https://evil.example/").is_ok());
}
