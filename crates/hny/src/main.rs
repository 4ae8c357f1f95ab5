//! The program: parse, read the settings, start the log, run, end with a code.

use std::io;
use std::process::ExitCode;

use hny::cli::{self, Command, Typed};
use hny::config::{Config, Sources, Written};
use hny::exit::Exit;
use hny::{printer, telemetry};
use mimalloc::MiMalloc;

/// A redirect makes and drops a handful of small blocks; this allocator does that in a fifth of the instructions of the
/// system's.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    let exit = match cli::parse(std::env::args_os()) {
        Ok(typed) => start(typed),
        Err(usage) => printer::usage(&usage).map(|()| if usage.use_stderr() { Exit::Usage } else { Exit::Done }),
    };
    let failed = |error| {
        printer::say(format_args!("the output could not be written: {error}"));
        Exit::Failed
    };
    exit.unwrap_or_else(failed).into()
}

fn start(typed: Typed) -> io::Result<Exit> {
    let written = Written::gather(Sources::of_process(typed.flags));
    let action = match typed.command {
        Command::Config(command) => return cli::config::run(&command, &written),
        Command::Action(action) => action,
    };
    let config = match Config::check(&written) {
        Ok(config) => config,
        Err(problems) => {
            printer::say(problems);
            return Ok(Exit::Usage);
        }
    };
    telemetry::start(&config.log);
    Ok(cli::run(&action, &config).unwrap_or_else(|failure| failure.explain()))
}
