//! The commands of this repository, and the only list of them that anyone must know: `cargo xtask --help`.

#![expect(clippy::print_stderr, reason = "a command talks to the person who called it: data on stdout, talk on stderr")]

mod bench;
mod command;
mod packages;
mod test;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// What the repository can do for you.
#[derive(Debug, Parser)]
#[command(bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Set up what the tests need on this machine, then check and test everything
    Test(test::Options),
    /// Measure the release build, side by side with what the machine can do
    #[command(subcommand)]
    Bench(bench::Bench),
}

fn main() -> ExitCode {
    let done = match Arguments::parse().task {
        Task::Test(options) => test::run(&options).map_err(|failure| failure.to_string()),
        Task::Bench(bench) => bench.run().map_err(|failure| failure.to_string()),
    };
    done.map_or_else(
        |failure| {
            eprintln!("\nerror: {failure}");
            ExitCode::FAILURE
        },
        |()| ExitCode::SUCCESS,
    )
}

#[test]
fn the_command_line_is_consistent() {
    use clap::CommandFactory;
    Arguments::command().debug_assert();
}
