//! How tests start the real program and talk to it.
//!
//! [`Program`] says what to start and where, [`Running`] is the started program.
//!
//! Nothing here returns an error for a test to forget: what cannot go on panics, and says what was seen until then. The
//! methods named `try_…` are for tests in which the program is meant to fail. This crate depends on no crate of ours, so
//! it cannot agree with the program about a mistake.

#![expect(
    clippy::missing_panics_doc,
    reason = "every failure here is a panic with the reason: that is the promise above"
)]

mod process;
mod program;
mod running;
mod talk;

pub use program::Program;
pub use running::Running;

use std::time::Duration;

/// How long anything may take that is expected to happen: far above what a busy machine needs, far below a stuck test run.
pub const DEADLINE: Duration = Duration::from_secs(30);
