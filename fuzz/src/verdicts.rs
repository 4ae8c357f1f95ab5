//! Verdicts: whatever a provider answers is an answer within its bounds, or none.

use hny_guard::fuzzing::{read_hashes, read_url};

use crate::Target;

/// The length of a hash, in bytes.
const HASH: usize = 32;

/// No answer is kept for longer than a day, in seconds.
const LONGEST: u64 = 24 * 60 * 60;

/// Bodies of answers.
pub const TARGET: Target = Target {
    seeds: &[
        b"\x0a\x26\x0a\x20abcdefghijklmnopqrstuvwxyz012345\x12\x02\x08\x01\x12\x09\x08\xac\x02\x10\x80\xca\xb5\xee\x01",
        b"\x0a\x28\x0a\x20abcdefghijklmnopqrstuvwxyz012345\x12\x04\x08\x02\x12\x00\x12\x02\x08\x3c",
        b"\x12\x0b\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
        br#"{"fullHashes":[{"fullHash":"YWJjZGVmZ2hpamtsbW5vcHFyc3R1dnd4eXowMTIzNDU=","fullHashDetails":[{"threatType":"MALWARE"}]}],"cacheDuration":"300.5s"}"#,
        br#"{"threat":{"threatTypes":["MALWARE","SOCIAL_ENGINEERING"],"expireTime":"1970-01-01T00:05:00.123456789Z"}}"#,
        b"{}",
    ],
    words: &["\x0a\x20", "\x12\x02", "\x08\x01", "\x7f", "\"attributes\":[]", "CANARY", "null", "1e9s", "-1s", "{", "["],
    run,
};

fn run(bytes: &[u8]) {
    for read in [read_hashes(bytes, false), read_hashes(bytes, true)].into_iter().flatten() {
        assert!(read.0 <= bytes.len() / HASH && read.1 <= LONGEST, "{read:?}");
    }
    if let Some((hits, seconds)) = read_url(bytes) {
        assert!(hits <= 1 && seconds <= LONGEST, "{hits} {seconds}");
    }
}
