//! A file of a spool.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use hny_domain::Timestamp;

use crate::spool::block::{self, Piece};

/// What the names of these files end with.
const ENDING: &str = ".clicks";

/// A file of a spool: blocks, one behind the other, of which the first has the position that the file is named after.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Segment {
    /// The position of its first byte.
    pub(crate) base: u64,
    /// How many bytes it has.
    pub(crate) len: u64,
    /// How many clicks in it are not counted yet.
    pub(crate) left: u64,
    /// When its first clicks were gathered.
    pub(crate) since: Option<Timestamp>,
}

/// A part of a segment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Extent {
    /// The segment's file.
    pub(crate) path: PathBuf,
    /// The position of the first byte of the file.
    pub(crate) base: u64,
    /// The position of the first byte of the part.
    pub(crate) from: u64,
    /// The position behind it.
    pub(crate) to: u64,
}

impl Segment {
    /// One without clicks.
    pub(crate) const fn new(base: u64) -> Self {
        Self { base, len: 0, left: 0, since: None }
    }

    /// The position behind its last byte.
    pub(crate) const fn end(&self) -> u64 {
        self.base + self.len
    }

    /// Where its file is.
    pub(crate) fn path(&self, folder: &Path) -> PathBuf {
        folder.join(format!("{:020}{ENDING}", self.base))
    }

    /// What of it lies behind this position.
    pub(crate) fn extent(&self, folder: &Path, from: u64) -> Option<Extent> {
        let (from, to) = (self.base.max(from), self.end());
        (from < to).then(|| Extent { path: self.path(folder), base: self.base, from, to })
    }

    /// Another block is in it.
    pub(crate) fn grow(&mut self, bytes: usize, clicks: usize, at: Timestamp) {
        self.len += bytes as u64;
        self.left += clicks as u64;
        self.since.get_or_insert(at);
    }

    /// The segments of a folder that somebody else has filled, the oldest first. The end of the last one may be torn; it is cut off.
    pub(crate) fn read_all(folder: &Path) -> io::Result<Vec<Self>> {
        let names = fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name()));
        let names = names.collect::<io::Result<Vec<_>>>()?;
        let bases = names.iter().filter_map(|name| name.to_str()?.strip_suffix(ENDING)?.parse().ok());
        let mut bases: Vec<u64> = bases.collect();
        bases.sort_unstable();
        let read = |&base: &u64| Self::new(base).read(folder, bases.last() == Some(&base));
        bases.iter().map(read).collect()
    }

    fn read(mut self, folder: &Path, is_last: bool) -> io::Result<Self> {
        let path = self.path(folder);
        let bytes = fs::read(&path)?;
        let mut torn = 0;
        for (_, piece) in block::pieces(&bytes, self.base) {
            match piece {
                Piece::Block(block) => self.grow(piece.len(), block.clicks(), block.at),
                Piece::Damage(bytes) => self.len += bytes as u64,
            }
            torn = if let Piece::Damage(bytes) = piece { bytes } else { 0 };
        }
        if is_last && torn > 0 {
            self.len -= torn as u64;
            File::options().write(true).open(&path)?.set_len(self.len)?;
            tracing::warn!(
                bytes = torn,
                ?path,
                "a write of clicks was cut short when its process ended; its rest is cut off"
            );
        }
        Ok(self)
    }
}

impl Extent {
    /// Its first bytes, up to so many.
    pub(crate) fn first(&self, bytes: u64) -> Self {
        Self { to: self.to.min(self.from.saturating_add(bytes)), ..self.clone() }
    }

    /// Its bytes.
    pub(crate) fn read(&self) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; usize::try_from(self.to - self.from).map_err(io::Error::other)?];
        File::open(&self.path)?.read_exact_at(&mut bytes, self.from - self.base)?;
        Ok(bytes)
    }

    /// When the clicks of its first block were gathered.
    pub(crate) fn time(&self) -> Option<Timestamp> {
        let mut head = [0; block::HEAD];
        let read = File::open(&self.path).and_then(|file| file.read_exact_at(&mut head, self.from - self.base));
        read.ok().and_then(|()| block::time(head))
    }
}
