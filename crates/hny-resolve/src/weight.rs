//! How many bytes an entry of the cache takes.

use quick_cache::Weighter;

use crate::cache::Entry;
use crate::key::Key;

/// Counts all bytes of an entry: its place in the cache, and its allocations.
#[derive(Debug, Clone)]
pub(crate) struct Bytes;

/// What an entry takes inside the cache: itself, what the cache keeps beside it, and its place in the cache's table, of five
/// bytes and at the worst not half full.
pub(crate) const PLACE: usize = size_of::<Key>() + size_of::<Entry>() + 16 + 12;

impl Weighter<Key, Entry> for Bytes {
    fn weight(&self, key: &Key, entry: &Entry) -> u64 {
        (PLACE + key.bytes() + entry.as_ref().map_or(0, crate::Found::bytes)) as u64
    }
}

/// What an allocator gives for so many bytes: up to the next of four sizes between two powers of two, and whole 16 bytes.
pub(crate) fn allocated(bytes: usize) -> usize {
    bytes.next_multiple_of((bytes.next_power_of_two() / 8).max(16))
}

#[test]
fn sizes_are_rounded_as_allocators_do() {
    let rounded: Vec<_> = [0, 1, 16, 17, 64, 65, 80, 81, 107, 128, 129, 160, 161, 8192, 8193].map(allocated).into();
    assert_eq!(rounded, [0, 16, 16, 32, 64, 80, 80, 96, 112, 128, 160, 160, 192, 8192, 10240]);
}
