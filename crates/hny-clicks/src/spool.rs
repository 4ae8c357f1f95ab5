//! A spool: segments in a folder.

pub(crate) mod block;
pub mod folder;
pub(crate) mod record;
pub(crate) mod segment;
pub(crate) mod stock;
pub(crate) mod syncer;
pub(crate) mod writer;

use std::collections::VecDeque;
use std::fs;
use std::io;

use hny_domain::Timestamp;

use crate::spool::folder::Folder;
use crate::spool::segment::{Extent, Segment};

/// A spool, as far as it is not shipped.
#[derive(Debug)]
pub(crate) struct Spool {
    pub(crate) folder: Folder,
    segments: VecDeque<Segment>,
    /// Everything before this position is counted.
    shipped: u64,
    /// Whether the last segment is still written.
    is_open: bool,
}

impl Spool {
    /// One that is to be written.
    pub(crate) const fn new(folder: Folder) -> Self {
        Self { folder, segments: VecDeque::new(), shipped: 0, is_open: true }
    }

    /// One that somebody else has written.
    pub(crate) fn left_behind(folder: Folder) -> io::Result<Self> {
        let segments = Segment::read_all(&folder.path)?.into();
        Ok(Self { folder, segments, shipped: 0, is_open: false })
    }

    /// A new segment is written from now on.
    pub(crate) fn begin_segment(&mut self, base: u64) {
        self.segments.push_back(Segment::new(base));
    }

    /// A block was written into the last segment.
    pub(crate) fn grow(&mut self, bytes: usize, clicks: usize, at: Timestamp) {
        if let Some(last) = self.segments.back_mut() {
            last.grow(bytes, clicks, at);
        }
    }

    /// Nothing is written any more.
    pub(crate) fn end(&mut self) {
        self.is_open = false;
    }

    pub(crate) const fn is_open(&self) -> bool {
        self.is_open
    }

    /// How many bytes it takes.
    pub(crate) fn bytes(&self) -> u64 {
        self.segments.iter().map(|segment| segment.len).sum()
    }

    /// How many clicks in it are not counted yet.
    pub(crate) fn left(&self) -> u64 {
        self.segments.iter().map(|segment| segment.left).sum()
    }

    /// When the first clicks of the oldest segment came.
    pub(crate) fn since(&self) -> Option<Timestamp> {
        self.segments.iter().find_map(|segment| segment.since)
    }

    /// The first part of it behind this position. Everything before that is counted.
    pub(crate) fn begin_shipping(&mut self, from: u64) -> Option<Extent> {
        self.shipped = from;
        self.first()
    }

    fn first(&self) -> Option<Extent> {
        self.segments.iter().find_map(|segment| segment.extent(&self.folder.path, self.shipped))
    }

    /// The first part that is not counted, and since when it or something before it waits.
    pub(crate) fn next(&self) -> Option<(Extent, Option<Timestamp>)> {
        Some((self.first()?, self.since()))
    }

    /// Everything before `until` is counted: so many more clicks of this segment.
    pub(crate) fn ship(&mut self, until: u64, segment: u64, clicks: u64) {
        self.shipped = until;
        for part in &mut self.segments {
            let clicks = if part.base == segment { clicks } else { 0 };
            // What could not be read is not counted, and does not wait either.
            part.left = if part.end() <= until { 0 } else { part.left.saturating_sub(clicks) };
        }
        while self.segments.front().is_some_and(|first| first.end() <= until) && !self.is_writing_first() {
            self.remove(0);
        }
    }

    /// Gives up the oldest segment that begins at or after this position; how many clicks in it were not counted.
    pub(crate) fn give_up(&mut self, from: u64) -> Option<u64> {
        let oldest = self.segments.iter().position(|segment| segment.base >= from)?;
        let is_written = self.is_open && oldest + 1 == self.segments.len();
        if is_written { None } else { self.remove(oldest) }
    }

    fn is_writing_first(&self) -> bool {
        self.is_open && self.segments.len() == 1
    }

    fn remove(&mut self, index: usize) -> Option<u64> {
        let segment = self.segments.remove(index)?;
        let path = segment.path(&self.folder.path);
        if let Err(error) = fs::remove_file(&path) {
            tracing::warn!(%error, ?path, "a file of clicks cannot be removed");
        }
        Some(segment.left)
    }
}
