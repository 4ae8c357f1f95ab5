//! Telling of changes, our own and those of others.

use std::sync::Arc;

use crate::Change;
use crate::blocks::SeenBlocks;
use crate::listeners::Listeners;
use crate::own_changes::OwnChanges;

/// Who wants to hear of changes, and which of them were ours. Cheap to clone; all clones are the same one.
#[derive(Debug, Clone, Default)]
pub(super) struct News {
    pub(super) listeners: Arc<Listeners>,
    pub(super) own_changes: Arc<OwnChanges>,
    pub(super) blocks: Arc<SeenBlocks>,
}

impl News {
    /// Tells of changes that were made here, by ascending version.
    pub(super) fn tell_own(&self, changes: &[Change]) {
        self.own_changes.note(changes);
        self.listeners.call(changes);
    }
}
