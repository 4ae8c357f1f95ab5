//! What a fuzzer needs to see of a spool: blocks of clicks, there and back.

use hny_domain::{LinkId, Timestamp, VisitKind, VisitorId};

use crate::spool::block::{self, Piece};
use crate::spool::record::Record;

/// A click as a spool has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clicked {
    link: LinkId,
    at: Timestamp,
    kind: VisitKind,
    visitor: Option<VisitorId>,
    country: Option<[u8; 2]>,
    agent: Vec<u8>,
    referrer: Vec<u8>,
    language: Vec<u8>,
}

impl Clicked {
    /// A click made of some text: its texts begin with it, cut to what a spool keeps, and its numbers follow from it.
    pub fn of_text(text: &[u8]) -> Self {
        let number = text.iter().fold(text.len() as u64, |number, byte| number.rotate_left(9) ^ u64::from(*byte));
        let cut = |most: usize| text[..text.len().min(most)].to_vec();
        Self {
            link: LinkId(number.cast_signed()),
            at: Timestamp::from_millis(number.cast_signed() >> 8),
            kind: VisitKind::ALL[text.len() % VisitKind::ALL.len()],
            visitor: (number & 4 != 0).then_some(VisitorId(number)),
            country: (number & 8 != 0).then_some(*b"KR"),
            agent: cut(1024),
            referrer: cut(255),
            language: cut(8),
        }
    }

    fn record(&self) -> Record<'_> {
        Record {
            link: self.link,
            at: self.at,
            kind: self.kind,
            visitor: self.visitor,
            country: self.country,
            agent: &self.agent,
            referrer: &self.referrer,
            language: &self.language,
        }
    }
}

impl From<Record<'_>> for Clicked {
    fn from(record: Record<'_>) -> Self {
        Self {
            link: record.link,
            at: record.at,
            kind: record.kind,
            visitor: record.visitor,
            country: record.country,
            agent: record.agent.to_vec(),
            referrer: record.referrer.to_vec(),
            language: record.language.to_vec(),
        }
    }
}

/// As many of the clicks as a block has room for, as a block that stands there.
pub fn write_block(clicks: &[Clicked], position: u64) -> Vec<u8> {
    let (mut bytes, _) = block::of(clicks.iter().map(Clicked::record));
    block::seal(&mut bytes, Timestamp::from_millis(0), position);
    bytes
}

/// The clicks of the blocks in these bytes, which stand there.
pub fn read_block(bytes: &[u8], position: u64) -> Vec<Clicked> {
    let records = |piece| match piece {
        Piece::Block(block) => block.records().map(Clicked::from).collect(),
        Piece::Damage(_) => Vec::new(),
    };
    block::pieces(bytes, position).flat_map(|(_, piece)| records(piece)).collect()
}
