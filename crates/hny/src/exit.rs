//! What the program says when it ends.

use std::process::ExitCode;

/// The exit codes, the same for every command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// 0: done.
    Done = 0,
    /// 1: it was tried and did not work, or what was asked for is not there.
    Failed = 1,
    /// 2: nothing was tried: the command line or a setting is wrong.
    Usage = 2,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_the_documented_ones() {
        for (exit, number) in [(Exit::Done, 0), (Exit::Failed, 1), (Exit::Usage, 2)] {
            assert_eq!(ExitCode::from(exit), ExitCode::from(number));
        }
    }
}
