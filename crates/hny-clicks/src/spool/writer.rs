//! The writer: the one thread that writes clicks into the spool.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::recorder::seen::Seen;
use hny_domain::{Clock, Timestamp};

use crate::recorder::intake::Intake;
use crate::recorder::waiting::{Batch, Taken, Waiting};
use crate::spool::block::{self, MOST_BYTES};
use crate::spool::segment::Segment;
use crate::spool::stock::Stock;
use crate::spool::syncer::Syncer;
use crate::visitor::anonymiser::Anonymiser;

/// How long it is from one sync to the next, and from a write that failed to the next try.
const SECOND: Duration = Duration::from_secs(1);

/// Of how many segments a full spool is made: giving up the oldest loses so small a part of it.
const SEGMENTS: u64 = 16;

/// How large a segment is at most.
const MOST_SEGMENT_BYTES: u64 = 16 << 20;

/// The least that a spool may take: its segments have room for a block then.
pub const LEAST_LIMIT: u64 = 1 << 20;

const _: () = assert!(LEAST_LIMIT / SEGMENTS >= MOST_BYTES as u64);

/// What the thread owns.
pub(crate) struct Writer {
    intake: Arc<Intake>,
    waiting: Arc<Waiting>,
    stock: Arc<Stock>,
    clock: Clock,
    folder: PathBuf,
    anonymiser: Anonymiser,
    syncer: Syncer,
    segment_bytes: u64,
    open: Option<Open>,
    /// Where the next segment begins.
    position: u64,
    /// Written since the last sync.
    unsynced: Vec<Arc<File>>,
    next_sync: Duration,
    has_failed: bool,
}

/// The segment that is written.
struct Open {
    file: Arc<File>,
    base: u64,
    len: u64,
    /// Whether there may be something behind that, of a write that failed. It must go before anything else is written: it could
    /// hold clicks that are written again.
    is_torn: bool,
}

/// What a writer writes for.
pub(crate) struct Parts {
    pub(crate) intake: Arc<Intake>,
    pub(crate) waiting: Arc<Waiting>,
    pub(crate) stock: Arc<Stock>,
    pub(crate) clock: Clock,
    /// The folder of the spool.
    pub(crate) folder: PathBuf,
    /// How many bytes it may take.
    pub(crate) limit: u64,
    pub(crate) anonymiser: Anonymiser,
}

impl Writer {
    pub(crate) fn new(
        Parts { intake, waiting, stock, clock, folder, limit, anonymiser }: Parts,
        syncer: Syncer,
    ) -> Self {
        Self {
            intake,
            waiting,
            stock,
            clock,
            folder,
            anonymiser,
            syncer,
            segment_bytes: (limit / SEGMENTS).min(MOST_SEGMENT_BYTES),
            open: None,
            position: 0,
            unsynced: Vec::new(),
            next_sync: Duration::ZERO,
            has_failed: false,
        }
    }

    /// Works until nothing waits and nothing will.
    pub(crate) fn run(mut self) {
        loop {
            match self.waiting.take(self.until_sync()) {
                Taken::Clicks(batches) => self.write_all(batches),
                Taken::Nothing => {}
                Taken::End => break,
            }
            self.sync_if_due();
        }
        self.syncer.end(self.unsynced);
        self.stock.end();
    }

    /// Writes batches, or gives back those that cannot be written.
    fn write_all(&mut self, batches: Vec<Batch>) {
        let mut batches = batches.into_iter();
        while let Some(mut batch) = batches.next() {
            if let Err((written, error)) = self.write(&batch) {
                batch.clicks.drain(..written);
                self.waiting.give_back(std::iter::once(batch).chain(batches).collect());
                return self.fail(&error);
            }
        }
        if self.has_failed {
            tracing::info!("clicks are kept on disk again");
            self.has_failed = false;
        }
    }

    /// Writes a batch; with an error comes how many of its clicks were written.
    fn write(&mut self, batch: &Batch) -> Result<(), (usize, io::Error)> {
        let mut written = 0;
        while written < batch.clicks.len() {
            let block = self.write_block(&batch.clicks[written..], batch.at);
            written += block.map_err(|error| (written, error))?;
        }
        Ok(())
    }

    /// Writes as many of these as a block has room for.
    fn write_block(&mut self, clicks: &[Seen], at: Timestamp) -> io::Result<usize> {
        let (mut block, count) = block::of(self.anonymiser.records(clicks));
        let mut open = match self.open.take() {
            Some(open) if open.len + MOST_BYTES as u64 <= self.segment_bytes => open,
            _ => self.begin_segment()?,
        };
        block::seal(&mut block, at, open.end());
        let written = open.write(&block);
        let (position, file) = (open.end(), Arc::clone(&open.file));
        self.open = Some(open);
        written?;
        self.stock.grow(block.len(), count, at);
        // Not before: there is no moment at which they are nowhere.
        self.waiting.written(&clicks[..count]);
        self.position = position;
        if self.unsynced.last().is_none_or(|last| !Arc::ptr_eq(last, &file)) {
            self.unsynced.push(file);
        }
        Ok(count)
    }

    fn begin_segment(&mut self) -> io::Result<Open> {
        let lost = self.stock.make_room(self.segment_bytes);
        self.intake.tally.not_shipped(lost);
        let path = Segment::new(self.position).path(&self.folder);
        // One that a try before this one has made is empty.
        let file = Arc::new(File::create(path)?);
        // The folder, too: it has to know of the file.
        self.unsynced.push(Arc::new(File::open(&self.folder)?));
        self.stock.begin_segment(self.position);
        Ok(Open { file, base: self.position, len: 0, is_torn: false })
    }

    /// The disk did not take them. They are kept, and written when it does; at the end there is no later.
    fn fail(&mut self, error: &io::Error) {
        let (clicks, _) = self.waiting.pending();
        if self.waiting.is_closed() {
            self.intake.tally.not_written(self.waiting.forget_all());
            tracing::error!(%error, clicks, "clicks cannot be kept on disk, and this process ends");
        } else if self.has_failed {
            tracing::debug!(%error, clicks, "clicks still cannot be kept on disk");
        } else {
            tracing::warn!(%error, clicks, "clicks cannot be kept on disk now; they are kept in memory until they can");
        }
        self.has_failed = true;
        self.waiting.pause(SECOND);
    }

    /// How long it is until the next sync is due.
    fn until_sync(&self) -> Duration {
        if self.unsynced.is_empty() { Duration::MAX } else { self.next_sync.saturating_sub(self.clock.monotonic()) }
    }

    /// Begins a sync, once a second, unless the last one is still under way.
    fn sync_if_due(&mut self) {
        if self.until_sync().is_zero() {
            self.next_sync = self.clock.monotonic() + SECOND;
            let files = std::mem::take(&mut self.unsynced);
            self.unsynced = self.syncer.sync(files).err().unwrap_or_default();
        }
    }
}

impl Open {
    /// The position behind what is in it.
    const fn end(&self) -> u64 {
        self.base + self.len
    }

    fn write(&mut self, block: &[u8]) -> io::Result<()> {
        if self.is_torn {
            self.file.set_len(self.len)?;
        }
        self.is_torn = true;
        self.file.write_all_at(block, self.len)?;
        self.is_torn = false;
        self.len += block.len() as u64;
        Ok(())
    }
}
