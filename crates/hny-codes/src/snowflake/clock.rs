//! The time, as ids need it.

/// Where the time comes from. Both readings are asked for at the moment they are used, so give the current ones.
pub trait Clock {
    /// Milliseconds since 1970-01-01T00:00:00Z, by the wall clock. It may step in either direction.
    fn unix_ms(&self) -> u64;

    /// Milliseconds since any moment that stays the same, by a clock that never steps back.
    fn monotonic_ms(&self) -> u64;
}

impl<C: Clock + ?Sized> Clock for &C {
    fn unix_ms(&self) -> u64 {
        (**self).unix_ms()
    }

    fn monotonic_ms(&self) -> u64 {
        (**self).monotonic_ms()
    }
}
