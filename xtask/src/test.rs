//! `cargo xtask test`: everything that must hold, in the order in which it is quickest to hear of a fault.

use crate::command::{CommandError, command, run as run_command};
use crate::packages::{self, PackageError};
use clap::ValueEnum;
use std::time::{Duration, Instant};
use thiserror::Error;

/// The parts that the program has only where they are asked for. The tests ask for all.
const FEATURES: &str = "--features=hny/clickhouse,hny/kafka";

/// What to test.
#[derive(Debug, clap::Args)]
pub(crate) struct Options {
    /// Do only this step (may be given several times)
    #[arg(long, value_name = "STEP")]
    only: Vec<Step>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Step {
    /// What the tests need from the system; installed when missing, if root asks
    Packages,
    /// Every file is as rustfmt writes it
    Format,
    /// No lint is broken; warnings are errors
    Clippy,
    /// The documentation builds, and its links lead somewhere
    Doc,
    /// Unit, property, contract and integration tests, and the rules of the house
    Test,
}

/// A step that failed.
#[derive(Debug, Error)]
#[error("step `{name}`: {source}\nonly this step: cargo xtask test --only {name}")]
pub(crate) struct Failure {
    name: String,
    source: StepError,
}

#[derive(Debug, Error)]
enum StepError {
    #[error(transparent)]
    Packages(#[from] PackageError),
    #[error(transparent)]
    Command(#[from] CommandError),
}

/// Does the steps one after the other until one fails.
pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    let steps = chosen(&options.only);
    eprintln!("This will:");
    for step in &steps {
        eprintln!("    {:<10} {}", step.name(), step.about());
    }
    let mut times = Vec::new();
    for step in steps {
        eprintln!("\n==> {}", step.name());
        let start = Instant::now();
        step.run().map_err(|source| Failure { name: step.name(), source })?;
        times.push((step, start.elapsed()));
    }
    summarise(&times);
    Ok(())
}

/// The steps in their order, whatever the order in which they were asked for.
fn chosen(only: &[Step]) -> Vec<Step> {
    let all = Step::value_variants().iter().copied();
    all.filter(|step| only.is_empty() || only.contains(step)).collect()
}

fn summarise(times: &[(Step, Duration)]) {
    eprintln!("\n==> all is well");
    for (step, time) in times {
        eprintln!("    {:<10} {:>7.1} s", step.name(), time.as_secs_f64());
    }
    let total: Duration = times.iter().map(|(_, time)| *time).sum();
    eprintln!("    {:<10} {:>7.1} s", "together", total.as_secs_f64());
}

impl Step {
    fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }

    fn about(self) -> String {
        let value = self.to_possible_value();
        value.and_then(|value| value.get_help().map(ToString::to_string)).unwrap_or_default()
    }

    fn run(self) -> Result<(), StepError> {
        if self == Self::Packages {
            return Ok(packages::ensure(packages::TESTS)?);
        }
        for words in self.commands() {
            let mut command = command(words);
            if self == Self::Doc {
                command.env("RUSTDOCFLAGS", "-D warnings");
            }
            run_command(&mut command)?;
        }
        Ok(())
    }

    /// What is run with all features, and what of it without: only what can tell the difference.
    const fn commands(self) -> &'static [&'static [&'static str]] {
        match self {
            Self::Packages => &[],
            Self::Format => &[&["cargo", "fmt", "--all", "--check"]],
            Self::Clippy => &[
                &["cargo", "clippy", "--workspace", "--all-targets", "--locked", FEATURES, "--", "-D", "warnings"],
                &["cargo", "clippy", "--workspace", "--lib", "--bins", "--locked", "--", "-D", "warnings"],
            ],
            Self::Doc => {
                &[&["cargo", "doc", "--workspace", "--no-deps", "--document-private-items", "--locked", FEATURES]]
            }
            Self::Test => &[
                &["cargo", "test", "--workspace", "--locked", FEATURES],
                &["cargo", "test", "--package", "hny", "--lib", "--locked", "config::click"],
            ],
        }
    }
}

#[test]
fn steps_keep_their_order() {
    assert_eq!(chosen(&[]), Step::value_variants());
    assert_eq!(chosen(&[Step::Test, Step::Format]), [Step::Format, Step::Test]);
}

#[test]
fn a_failed_step_says_how_to_do_it_alone() {
    let source = PackageError::NotRoot("strace".to_owned()).into();
    let said = Failure { name: Step::Packages.name(), source }.to_string();
    assert!(said.contains("sudo apt-get install strace"), "{said}");
    assert!(said.ends_with("cargo xtask test --only packages"), "{said}");
}

#[test]
fn every_step_says_what_it_is_about() {
    assert!(Step::value_variants().iter().all(|step| !step.about().is_empty()));
}
