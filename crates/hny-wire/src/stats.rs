//! How often a link was followed.

use serde::Serialize;

/// The statistics of a link. There will be more beside the total.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Stats {
    /// Over all time.
    pub total: Total,
}

/// Sums.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Total {
    /// How often it was followed.
    pub clicks: u64,
}

impl Stats {
    /// Those of a link that was followed so often.
    pub const fn of(clicks: u64) -> Self {
        Self { total: Total { clicks } }
    }
}
