//! That it was looked whether a link may be followed: kept with its entry, so that few visits have to look again.

use std::sync::atomic::{AtomicU32, Ordering};

/// By what the target of an entry was let pass. A new entry begins with nothing.
///
/// It is a note about an entry and no part of it: entries are the same whatever is noted.
#[derive(Debug, Default)]
pub struct Clearance {
    rules: AtomicU32,
    until: AtomicU32,
}

impl Clearance {
    /// The generation of the rules that let the target pass last; 0 is of none.
    pub fn rules(&self) -> u32 {
        self.rules.load(Ordering::Relaxed)
    }

    /// Notes that the rules of this generation let the target pass.
    pub fn pass_rules(&self, generation: u32) {
        self.rules.store(generation, Ordering::Relaxed);
    }

    /// Up to when no verdict on the target is needed, in seconds of the process.
    pub fn until(&self) -> u32 {
        self.until.load(Ordering::Relaxed)
    }

    /// Notes up to when no verdict is needed.
    pub fn pass_until(&self, seconds: u32) {
        self.until.store(seconds, Ordering::Relaxed);
    }
}

impl PartialEq for Clearance {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Clearance {}
