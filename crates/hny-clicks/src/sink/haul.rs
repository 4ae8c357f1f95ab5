//! What is taken out of a spool to be handed over in one change of the sink.

use std::io;

use hny_domain::{Click, ClickId};
use hny_store::SpoolId;

use crate::sink::enricher::Enricher;
use crate::spool::block::{self, Block, Piece};
use crate::spool::segment::Extent;

/// How many clicks are enough: some hundredths of a second of work for a database, so that who makes a link does not wait long
/// behind it. Blocks are taken whole, so there may be some hundred more.
pub(crate) const FEWEST: usize = 2_048;

/// How many are taken at once where very many wait, a quarter of them at a time. The more are taken, the more of them are on the same link or
/// on the same page of the database: on a hundred thousand links, eight times as many are half of the work for each.
pub(crate) const MOST: usize = 16_384;

/// How many clicks are enough when so many wait.
pub(crate) fn enough(waiting: u64) -> usize {
    usize::try_from(waiting / 4).map_or(MOST, |quarter| quarter.clamp(FEWEST, MOST))
}

/// How many bytes are read for each click that is wanted: mostly enough. Even for the fewest it is many times as much as the largest block.
const BYTES_A_CLICK: u64 = 512;

const _: () = assert!(FEWEST as u64 * BYTES_A_CLICK >= 4 * block::MOST_BYTES as u64);

/// What the system answers where a disk cannot be read.
const EIO: i32 = 5;

/// Clicks from one position on to another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Haul {
    pub(crate) spool: SpoolId,
    /// The position before them, and behind them.
    pub(crate) from: u64,
    pub(crate) until: u64,
    pub(crate) clicks: Vec<Click>,
    /// The position of the segment in which they are.
    pub(crate) segment: u64,
    /// In how many places in between there was something that could not be read.
    pub(crate) damaged: u64,
}

impl Haul {
    /// Reads the beginning of a part of a spool, everything before which is counted: so many clicks if they are there. What cannot be read
    /// is passed over up to the next block; an error is one that may pass.
    pub(crate) fn read(
        spool: SpoolId,
        from: u64,
        extent: &Extent,
        enough: usize,
        enricher: &mut Enricher,
    ) -> io::Result<Self> {
        let mut haul = Self { spool, from, until: extent.from, clicks: Vec::new(), segment: extent.base, damaged: 0 };
        let window = extent.first(enough as u64 * BYTES_A_CLICK);
        match window.read() {
            Ok(bytes) => haul.take(extent, &bytes, enough, enricher),
            Err(error) if is_lost(&error) => {
                tracing::warn!(%error, path = ?extent.path, "a file of clicks cannot be read; they are lost");
                haul.damaged += 1;
                haul.until = extent.to;
            }
            Err(error) => return Err(error),
        }
        Ok(haul)
    }

    fn take(&mut self, extent: &Extent, bytes: &[u8], enough: usize, enricher: &mut Enricher) {
        // At its end a block may be cut in two by the window; unless nothing else is there, it is read whole the next time.
        let is_cut = extent.from + (bytes.len() as u64) < extent.to;
        for (position, piece) in block::pieces(bytes, extent.from) {
            let end = position + piece.len() as u64;
            match piece {
                _ if self.clicks.len() >= enough => break,
                Piece::Block(block) => self.take_block(position, block, enricher),
                Piece::Damage(_) if is_cut && end == extent.from + bytes.len() as u64 && position > extent.from => {
                    break;
                }
                Piece::Damage(bytes) => {
                    self.damaged += 1;
                    tracing::warn!(position, bytes, path = ?extent.path, "a part of the clicks is damaged; it is passed over");
                }
            }
            self.until = end;
        }
    }

    fn take_block(&mut self, position: u64, block: Block<'_>, enricher: &mut Enricher) {
        let spool = self.spool;
        let clicks = (position..).zip(block.records()).map(|(place, record)| enricher.click(id(spool, place), &record));
        self.clicks.extend(clicks);
    }
}

/// The id of the click at a place of a spool: whenever it is read, it is the same. (A block has more bytes than clicks, so the positions
/// in it are enough to tell them apart.) What comes out for the places of one spool is different for each; the mixing is `SplitMix64`'s
/// (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014).
fn id(spool: SpoolId, place: u64) -> ClickId {
    ClickId(mixed(spool.0 ^ mixed(place)))
}

fn mixed(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

/// Whether it is of no use to try again.
fn is_lost(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::UnexpectedEof) || error.raw_os_error() == Some(EIO)
}

#[cfg(test)]
mod tests;
