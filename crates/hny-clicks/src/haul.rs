//! What is taken out of a spool to be counted.

use std::io;

use hny_domain::LinkId;

use crate::block::{self, Block, Piece};
use crate::segment::Extent;
use crate::sink::Rows;

/// What the system answers where a disk cannot be read.
const EIO: i32 = 5;

/// Clicks from one position on to another.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Haul {
    links: Vec<LinkId>,
    /// The position behind them.
    pub(crate) until: u64,
    /// Of which segments they are: the position of each, and how many.
    pub(crate) taken: Vec<(u64, u64)>,
    /// In how many places in between there was something that could not be read.
    pub(crate) damaged: u64,
}

impl Haul {
    /// Reads these parts of a spool, but not much more than so many clicks. What cannot be read is passed over up to the next
    /// block; an error is one that may pass.
    pub(crate) fn read(extents: &[Extent], most: usize) -> io::Result<Self> {
        let mut haul = Self::default();
        for extent in extents {
            if haul.links.len() >= most {
                break;
            }
            match extent.read() {
                Ok(bytes) => haul.take(extent, &bytes, most),
                Err(error) if is_lost(&error) => {
                    tracing::warn!(%error, path = ?extent.path, "a file of clicks cannot be read; they are lost");
                    haul.damaged += 1;
                    haul.until = extent.to;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(haul)
    }

    /// Clicks on these links, before this position.
    #[cfg(test)]
    pub(crate) fn of(links: Vec<LinkId>, until: u64) -> Self {
        Self { links, until, ..Self::default() }
    }

    fn take(&mut self, extent: &Extent, bytes: &[u8], most: usize) {
        let before = self.links.len();
        for (position, piece) in block::pieces(bytes, extent.from) {
            if self.links.len() >= most {
                break;
            }
            self.until = position + piece.len() as u64;
            match piece {
                Piece::Block(block) => self.take_block(block),
                Piece::Damage(bytes) => {
                    self.damaged += 1;
                    tracing::warn!(position, bytes, path = ?extent.path, "a part of the clicks is damaged; it is passed over");
                }
            }
        }
        self.taken.push((extent.base, (self.links.len() - before) as u64));
    }

    fn take_block(&mut self, block: Block<'_>) {
        self.links.extend(block.clicks().map(|click| click.link));
    }

    /// One row for each link, by ascending id. That is cheap however many links there are: a sort of whole numbers, and no table of
    /// links that grows and has to be looked into.
    pub(crate) fn rows(&mut self) -> Rows {
        self.links.sort_unstable();
        self.links.chunk_by(|a, b| a == b).map(|clicks| (clicks[0], clicks.len() as u64)).collect()
    }
}

/// Whether it is of no use to try again.
fn is_lost(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::UnexpectedEof) || error.raw_os_error() == Some(EIO)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use hny_domain::Timestamp;
    use tempfile::TempDir;

    use super::*;
    use crate::seen::Seen;
    use crate::segment::Segment;

    /// Two segments of two blocks with three clicks each.
    fn segments(folder: &TempDir) -> Vec<Segment> {
        let mut position = 1_000;
        let segment = |links: [i64; 2]| {
            let (mut segment, mut bytes) = (Segment::new(position), Vec::new());
            for link in links {
                let block = block::written(&[Seen { link: LinkId(link) }; 3], Timestamp::from_millis(0), segment.end());
                segment.grow(block.len(), 3, Timestamp::from_millis(0));
                bytes.extend(block);
            }
            position = segment.end();
            fs::write(segment.path(folder.path()), bytes).unwrap();
            segment
        };
        [[5, 4], [5, 3]].map(segment).into()
    }

    fn extents(folder: &TempDir, segments: &[Segment], from: u64, to: u64) -> Vec<Extent> {
        segments.iter().filter_map(|segment| segment.extent(folder.path(), from, to)).collect()
    }

    fn rows(rows: &[(i64, u64)]) -> Rows {
        rows.iter().map(|&(link, clicks)| (LinkId(link), clicks)).collect()
    }

    #[test]
    fn clicks_of_a_link_become_one_row_and_rows_ascend() {
        let folder = TempDir::new().unwrap();
        let segments = segments(&folder);
        let mut haul = Haul::read(&extents(&folder, &segments, 0, u64::MAX), 100).unwrap();
        assert_eq!(haul.rows(), rows(&[(3, 3), (4, 3), (5, 6)]));
        assert_eq!((haul.until, haul.damaged), (segments[1].end(), 0));
        assert_eq!(haul.taken, [(segments[0].base, 6), (segments[1].base, 6)]);
    }

    #[test]
    fn not_much_more_than_enough_is_read_and_the_next_goes_on_there() {
        let folder = TempDir::new().unwrap();
        let segments = segments(&folder);
        let mut first = Haul::read(&extents(&folder, &segments, 0, u64::MAX), 7).unwrap();
        assert_eq!(
            (first.rows(), &*first.taken),
            (rows(&[(4, 3), (5, 6)]), &[(segments[0].base, 6), (segments[1].base, 3)][..])
        );
        let mut next = Haul::read(&extents(&folder, &segments, first.until, u64::MAX), 7).unwrap();
        assert_eq!((next.rows(), next.until), (rows(&[(3, 3)]), segments[1].end()));
        let mut again = Haul::read(&extents(&folder, &segments, 0, first.until), usize::MAX).unwrap();
        assert_eq!((again.rows(), again.until), (first.rows(), first.until), "read again it is the same");
    }

    #[test]
    fn a_damaged_block_and_a_missing_file_are_passed_over_and_counted() {
        let folder = TempDir::new().unwrap();
        let segments = segments(&folder);
        let path = segments[0].path(folder.path());
        let mut bytes = fs::read(&path).unwrap();
        bytes[block::HEAD + 1] ^= 1;
        fs::write(&path, bytes).unwrap();
        let all = extents(&folder, &segments, 0, u64::MAX);
        let mut haul = Haul::read(&all, 100).unwrap();
        assert_eq!((haul.rows(), haul.until, haul.damaged), (rows(&[(3, 3), (4, 3), (5, 3)]), segments[1].end(), 1));
        fs::remove_file(segments[1].path(folder.path())).unwrap();
        let mut haul = Haul::read(&all, 100).unwrap();
        assert_eq!((haul.rows(), haul.until, haul.damaged), (rows(&[(4, 3)]), segments[1].end(), 2));
    }
}
