//! Which generation of the shared cache was seen last.

use std::sync::{PoisonError, RwLock};

use crate::CacheGeneration;

/// The newest generation that was seen.
#[derive(Debug, Default)]
pub(crate) struct SeenGeneration(RwLock<CacheGeneration>);

impl SeenGeneration {
    pub(crate) fn get(&self) -> CacheGeneration {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Notes one that was read; an older one than is known comes from a read that others have overtaken.
    pub(crate) fn note(&self, seen: &CacheGeneration) {
        if self.0.read().unwrap_or_else(PoisonError::into_inner).number >= seen.number {
            return;
        }
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if known.number < seen.number {
            *known = seen.clone();
        }
    }
}
