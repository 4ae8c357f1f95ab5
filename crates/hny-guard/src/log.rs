//! What one client did within a window, and when.

use smallvec::SmallVec;

use crate::limit::Millis;

/// Something that counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Entry {
    /// When it was.
    pub(crate) at: Millis,
    /// Which it was: two that count apart have different marks.
    pub(crate) mark: u64,
}

/// The entries of one client, the oldest first. The first few take no allocation.
#[derive(Debug, Default)]
pub(crate) struct Log(SmallVec<[Entry; FEW]>);

/// As many as most clients ever have.
const FEW: usize = 2;

impl Log {
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn first(&self) -> Option<Entry> {
        self.0.first().copied()
    }

    pub(crate) fn last(&self) -> Option<Entry> {
        self.0.last().copied()
    }

    /// Whether something has this mark.
    pub(crate) fn has(&self, mark: u64) -> bool {
        self.0.iter().any(|entry| entry.mark == mark)
    }

    /// Adds what is younger than all others.
    pub(crate) fn push(&mut self, entry: Entry) {
        self.0.push(entry);
    }

    /// Forgets what was before `start`, or at it: a window ends where the next one begins.
    pub(crate) fn forget_until(&mut self, start: Millis) {
        let old = self.0.iter().take_while(|entry| entry.at <= start).count();
        if old > 0 {
            self.0.drain(..old);
        }
    }

    /// Keeps only the marks that satisfy this.
    pub(crate) fn retain(&mut self, keeps: impl Fn(u64) -> bool) {
        self.0.retain(|entry| keeps(entry.mark));
    }

    /// The bytes of its allocation.
    pub(crate) fn allocated(&self) -> usize {
        if self.0.spilled() { self.0.capacity() * size_of::<Entry>() } else { 0 }
    }
}

impl AsRef<Self> for Log {
    fn as_ref(&self) -> &Self {
        self
    }
}

impl AsMut<Self> for Log {
    fn as_mut(&mut self) -> &mut Self {
        self
    }
}
