//! Whether this node wants visitors.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that goes down once, when the node begins to stop. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct Readiness(Arc<AtomicBool>);

impl Readiness {
    /// A node that wants visitors.
    pub fn new() -> Self {
        Self::default()
    }

    /// From now on `/readyz` says 503.
    pub fn begin_to_drain(&self) {
        self.0.store(true, Ordering::Release);
    }

    /// Whether the node is stopping.
    pub fn is_draining(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}
