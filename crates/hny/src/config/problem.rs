//! What is wrong with what was written, all of it at once.

use std::fmt;

use serde::Serialize;
use thiserror::Error;

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// What its author called it: `HNY_LISTEN`, `--listen` or `hny.toml:listen`.
    pub name: String,
    /// What is wrong and what would be right. Never a secret.
    pub detail: String,
}

/// Everything that is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub struct Problems(pub Vec<Problem>);

/// The answer of `hny config check`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Check {
    ok: bool,
    problems: Vec<Problem>,
}

impl Problem {
    pub(super) fn new(name: impl Into<String>, detail: impl fmt::Display) -> Self {
        Self { name: name.into(), detail: detail.to_string() }
    }

    /// Says that nothing goes by this name, and which known name is nearest.
    pub(super) fn unknown(name: impl Into<String>, written: &str, known: impl Iterator<Item = &'static str>) -> Self {
        match nearest(written, known) {
            Some(known) => Self::new(name, format_args!("is not a setting; did you mean {known}?")),
            None => Self::new(name, "is not a setting; 'hny config example' lists them all"),
        }
    }
}

fn nearest(written: &str, known: impl Iterator<Item = &'static str>) -> Option<&'static str> {
    let written = bare(written);
    let likeness = |name| strsim::jaro_winkler(&written, &bare(name));
    let (best, name) = known.map(|name| (likeness(name), name)).max_by(|a, b| a.0.total_cmp(&b.0))?;
    (best >= 0.8).then_some(name)
}

/// A name without what all of its kind have in common, which would make everything look alike.
fn bare(name: &str) -> String {
    let name = name.to_lowercase().replace('-', "_");
    name.strip_prefix("hny_").map(str::to_owned).unwrap_or(name)
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name, self.detail)
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.len() {
            1 => writeln!(f, "The settings have a problem:")?,
            count => writeln!(f, "The settings have {count} problems:")?,
        }
        for problem in &self.0 {
            writeln!(f, "  {problem}")?;
        }
        f.write_str("'hny config example' explains every setting, 'hny config check' looks without starting anything.")
    }
}

impl Check {
    /// Nothing is wrong.
    pub const fn fine() -> Self {
        Self { ok: true, problems: Vec::new() }
    }

    /// These are wrong.
    pub fn of(problems: Problems) -> Self {
        Self { ok: false, problems: problems.0 }
    }
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.ok { f.write_str("The settings are fine.") } else { Problems(self.problems.clone()).fmt(f) }
    }
}
