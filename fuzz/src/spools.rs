//! Spools: what is written is read as it was, and what was damaged is never taken for something else.

use hny_clicks::fuzzing::{Clicked, read_block, write_block};

use crate::Target;

/// Where a block stands, which byte of it is damaged and how, and texts of clicks, a line for each.
pub const TARGET: Target = Target {
    seeds: &[
        b"\0\0\0\0\0\0\0\0\x04\0\x01\nMozilla/5.0\nCrawler",
        b"\0\x10\0\0\0\0\0\0\xff\x01\x80\n\nhny1\n\xff",
        b"\xff\xff\xff\xff\xff\xff\xff\x7f\0\0\0\n",
        b"hny1\0\0\0\0hny1\0\0\0\0\0\0\0\0",
    ],
    words: &["hny1", "\n", "\0", "Mozilla/5.0 (X11)", "example.com", "\u{7f}"],
    run,
};

fn run(bytes: &[u8]) {
    // Anything may lie on a disk.
    read_block(bytes, 0);
    let Some((position, rest)) = bytes.split_first_chunk() else { return };
    let Some(([low, high, change], lines)) = rest.split_first_chunk() else { return };
    // No spool is that long that positions would end.
    let position = u64::from_le_bytes(*position) >> 1;
    let clicks: Vec<_> = lines.split(|byte| *byte == b'\n').map(Clicked::of_text).collect();
    let mut block = write_block(&clicks, position);
    let read = read_block(&block, position);
    assert_eq!(read, clicks[..read.len()], "what is written is read");
    // A block takes 64 KiB less what one click may take.
    assert!(read.len() == clicks.len() || block.len() > 60_000, "as many are written as there is room for");
    assert!(read_block(&block, position + 1).is_empty(), "a block stands where it was written");
    let place = usize::from(u16::from_le_bytes([*low, *high])) % block.len();
    assert!(read_block(&block[..place], position).is_empty(), "a cut block is none");
    if *change != 0 {
        block[place] ^= change;
        assert!(read_block(&block, position).is_empty(), "nor is a damaged one");
    }
}
