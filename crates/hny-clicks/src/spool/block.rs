//! Records that were written together, with a checksum.
//!
//! A block is a marker, the length of its records, a checksum, the time at which its clicks were gathered, and the records. The
//! checksum goes over the block's position in the spool, too: what was meant for another place is not taken for a block.

use std::iter;

use crc32fast::Hasher;
use hny_domain::Timestamp;
use memchr::memmem;

use crate::spool::record::{self, Record};

/// How a block begins. A reader that has lost its way looks for this.
const MARKER: [u8; 4] = *b"hny1";

/// How many bytes stand before the records.
pub(crate) const HEAD: usize = 20;

/// How many bytes a block takes at most that is written: some hundred clicks.
pub(crate) const MOST_BYTES: usize = 64 << 10;

/// A block that could be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Block<'a> {
    /// When its clicks were gathered.
    pub(crate) at: Timestamp,
    records: &'a [u8],
}

/// What lies in a spool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Piece<'a> {
    Block(Block<'a>),
    /// So many bytes that are no block.
    Damage(usize),
}

/// As many of these records as a block has room for, unsealed, and how many those are.
pub(crate) fn of<'a>(records: impl Iterator<Item = Record<'a>>) -> (Vec<u8>, usize) {
    let mut bytes = vec![0; HEAD];
    let mut count = 0;
    for record in records {
        record::write(&record, &mut bytes);
        count += 1;
        if bytes.len() + record::MOST_BYTES > MOST_BYTES {
            break;
        }
    }
    (bytes, count)
}

/// Makes a block of these bytes, whose clicks were gathered then, to stand at `position`.
pub(crate) fn seal(bytes: &mut [u8], at: Timestamp, position: u64) {
    let (head, records) = bytes.split_at_mut(HEAD);
    // At most MOST_BYTES.
    let length = u32::try_from(records.len()).unwrap_or(u32::MAX).to_le_bytes();
    let at = at.as_millis().to_le_bytes();
    let sum = checksum(position, at, records).to_le_bytes();
    head.copy_from_slice(&[&MARKER[..], &length, &sum, &at].concat());
}

/// The block with which `bytes` begin, which stand at `position`.
fn read(bytes: &[u8], position: u64) -> Option<Block<'_>> {
    let rest = bytes.strip_prefix(&MARKER)?;
    let (length, rest) = rest.split_first_chunk()?;
    let (sum, rest) = rest.split_first_chunk()?;
    let (at, rest) = rest.split_first_chunk()?;
    let records = rest.get(..u32::from_le_bytes(*length).try_into().ok()?)?;
    let is_whole = checksum(position, *at, records) == u32::from_le_bytes(*sum);
    is_whole.then(|| Block { at: Timestamp::from_millis(i64::from_le_bytes(*at)), records })
}

/// When the clicks of the block were gathered that begins with `head`; it is not looked at whether the block is whole.
pub(crate) fn time(head: [u8; HEAD]) -> Option<Timestamp> {
    let at = head.starts_with(&MARKER).then(|| head.last_chunk())??;
    Some(Timestamp::from_millis(i64::from_le_bytes(*at)))
}

fn checksum(position: u64, at: [u8; 8], records: &[u8]) -> u32 {
    let mut hasher = Hasher::new();
    hasher.update(&position.to_le_bytes());
    hasher.update(&at);
    hasher.update(records);
    hasher.finalize()
}

impl<'a> Block<'a> {
    /// Its clicks.
    pub(crate) fn records(&self) -> impl Iterator<Item = Record<'a>> + use<'a> {
        let mut records = self.records;
        iter::from_fn(move || record::read(&mut records))
    }

    /// How many clicks it has.
    pub(crate) fn clicks(&self) -> usize {
        record::count(self.records)
    }

    fn len(&self) -> usize {
        HEAD + self.records.len()
    }
}

/// What lies in `bytes`, which stand at `position`: each piece with its own position. Behind damage the next block is looked for.
pub(crate) fn pieces(bytes: &[u8], position: u64) -> impl Iterator<Item = (u64, Piece<'_>)> {
    let mut offset = 0;
    iter::from_fn(move || {
        let (rest, here) = (&bytes[offset..], position + offset as u64);
        if rest.is_empty() {
            return None;
        }
        let piece = read(rest, here).map_or_else(|| Piece::Damage(damage(rest, here)), Piece::Block);
        offset += piece.len();
        Some((here, piece))
    })
}

impl Piece<'_> {
    /// How many bytes it takes.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Block(block) => block.len(),
            Self::Damage(bytes) => *bytes,
        }
    }
}

/// How many bytes come before the next block. `bytes` do not begin with one.
fn damage(bytes: &[u8], position: u64) -> usize {
    let is_block = |&offset: &usize| read(&bytes[offset..], position + offset as u64).is_some();
    memmem::find_iter(bytes, &MARKER).find(is_block).unwrap_or(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT: Timestamp = Timestamp::from_millis(1_900_000_000_000);

    fn written(links: std::ops::Range<i64>, position: u64) -> Vec<u8> {
        let (mut bytes, _) = of(links.map(Record::of));
        seal(&mut bytes, AT, position);
        bytes
    }

    /// Three blocks, the first at this position, and where each begins.
    fn three(position: u64) -> (Vec<u8>, [usize; 4]) {
        let (mut bytes, mut ends) = (Vec::new(), [0; 4]);
        for (number, links) in [0..3, 3..100, 100..101].into_iter().enumerate() {
            bytes.extend(written(links, position + bytes.len() as u64));
            ends[number + 1] = bytes.len();
        }
        (bytes, ends)
    }

    fn links(bytes: &[u8], position: u64) -> Vec<i64> {
        let blocks = pieces(bytes, position).filter_map(|(_, piece)| match piece {
            Piece::Block(block) => Some(block.records().map(|record| record.link.0).collect::<Vec<_>>()),
            Piece::Damage(_) => None,
        });
        blocks.flatten().collect()
    }

    #[test]
    fn what_is_written_is_read() {
        let (bytes, [_, first, second, _]) = three(777);
        assert_eq!(links(&bytes, 777), (0..101).collect::<Vec<_>>());
        let positions: Vec<_> = pieces(&bytes, 777).map(|(position, _)| position).collect();
        assert_eq!(positions, [777, 777 + first as u64, 777 + second as u64]);
        let Some((_, Piece::Block(block))) = pieces(&bytes, 777).next() else { panic!("a block") };
        assert_eq!((block.at, time(*bytes.first_chunk().unwrap())), (AT, Some(AT)));
        assert_eq!((block.clicks(), first), (3, block.len()));
    }

    #[test]
    fn a_block_has_room_for_some_and_not_for_more() {
        let long = [b'x'; 9000];
        let records = || (0..).map(|link| Record { agent: &long, referrer: &long[..255], ..Record::of(link) });
        let (bytes, count) = of(records());
        assert!(bytes.len() <= MOST_BYTES && bytes.len() + record::MOST_BYTES > MOST_BYTES);
        assert_eq!((of(records().take(count)), of(records().take(1)).1), ((bytes, count), 1));
    }

    #[test]
    fn a_block_at_another_position_is_none() {
        let (bytes, _) = three(777);
        assert_eq!(pieces(&bytes, 778).collect::<Vec<_>>(), [(778, Piece::Damage(bytes.len()))]);
    }

    #[test]
    fn a_torn_end_is_damage_wherever_it_is_torn() {
        let (bytes, [_, _, second, end]) = three(0);
        for torn in second + 1..end {
            let found = pieces(&bytes[..torn], 0).collect::<Vec<_>>();
            assert_eq!(found[2], (second as u64, Piece::Damage(torn - second)), "{torn}");
            assert_eq!(links(&bytes[..torn], 0), (0..100).collect::<Vec<_>>());
        }
    }

    #[test]
    fn any_damaged_byte_costs_its_block_and_no_other() {
        let (bytes, [_, first, second, _]) = three(0);
        let left: Vec<i64> = (0..3).chain(100..101).collect();
        for byte in first..second {
            let mut bytes = bytes.clone();
            bytes[byte] ^= 0x10;
            assert_eq!(links(&bytes, 0), left, "{byte}");
            let damage = pieces(&bytes, 0).map(|(_, piece)| piece).filter(|piece| matches!(piece, Piece::Damage(_)));
            assert_eq!(damage.collect::<Vec<_>>(), [Piece::Damage(second - first)]);
        }
    }

    #[test]
    fn nothing_and_noise_are_no_blocks() {
        assert_eq!(pieces(&[], 0).count(), 0);
        let noise = [&b"hny1"[..], &[0xff; 40], b"hny1hny1"].concat();
        assert_eq!(pieces(&noise, 0).collect::<Vec<_>>(), [(0, Piece::Damage(noise.len()))]);
        assert_eq!(pieces(&[0; 5000], 9).collect::<Vec<_>>(), [(9, Piece::Damage(5000))]);
    }
}
