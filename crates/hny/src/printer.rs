//! The only place that writes to the terminal: stdout is data, stderr is talk.
//!
//! Whoever reads our output may stop early (`hny key list | head -1`). That is a success, so a closed pipe is no error here.
//! `println!` would panic on it, which is why these are plain writes.

use std::fmt::Display;
use std::io::{self, ErrorKind, Write};

use serde::Serialize;

/// How data is written: for people or for machines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Printer {
    /// The value's own text.
    Text,
    /// One line of JSON.
    Json,
}

impl Printer {
    /// By the `--json` of a command.
    pub const fn of_json_flag(json: bool) -> Self {
        if json { Self::Json } else { Self::Text }
    }

    /// Writes a result to stdout.
    pub fn data<T: Display + Serialize>(self, value: &T) -> io::Result<()> {
        self.write(&mut io::stdout().lock(), value)
    }

    fn write<T: Display + Serialize>(self, out: &mut impl Write, value: &T) -> io::Result<()> {
        let text = match self {
            Self::Text => value.to_string(),
            Self::Json => serde_json::to_string(value)?,
        };
        closed_is_fine(writeln!(out, "{}", text.trim_end_matches('\n')).and_then(|()| out.flush()))
    }
}

/// Says something to the person at the terminal, on stderr. When that is gone there is nobody to tell.
pub fn say(talk: impl Display) {
    let _ = writeln!(io::stderr().lock(), "{talk}");
}

/// Prints what clap has to say, help to stdout and complaints to stderr, each in the colours of its stream.
pub fn usage(error: &clap::Error) -> io::Result<()> {
    closed_is_fine(error.print())
}

fn closed_is_fine(written: io::Result<()>) -> io::Result<()> {
    match written {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Failing(ErrorKind);

    impl Write for Failing {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(self.0.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn data_is_one_value_and_a_line_end() {
        for (printer, expected) in [(Printer::Text, "a\"b\n"), (Printer::Json, "\"a\\\"b\"\n")] {
            let mut out = Vec::new();
            printer.write(&mut out, &"a\"b").unwrap();
            assert_eq!(String::from_utf8(out).unwrap(), expected);
        }
    }

    #[test]
    fn a_closed_pipe_is_success_and_a_full_disk_is_not() {
        assert!(Printer::Text.write(&mut Failing(ErrorKind::BrokenPipe), &"a").is_ok());
        let full = Printer::Text.write(&mut Failing(ErrorKind::StorageFull), &"a");
        assert_eq!(full.unwrap_err().kind(), ErrorKind::StorageFull);
    }
}
