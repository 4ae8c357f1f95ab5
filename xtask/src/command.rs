//! Running another program in the root of the repository.

use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use thiserror::Error;

/// Why a program did not do its work. It has said more itself: it writes where we write.
#[derive(Debug, Error)]
pub(crate) enum CommandError {
    /// It is not there or may not run.
    #[error("cannot run {line}: {source}")]
    Start {
        /// What was to run.
        line: String,
        /// What the system says.
        source: std::io::Error,
    },
    /// It ran and was not content.
    #[error("{line} failed: {status}")]
    Failed {
        /// What ran.
        line: String,
        /// How it ended.
        status: ExitStatus,
    },
}

/// The root of the repository.
pub(crate) fn root() -> &'static Path {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here)
}

/// A command that will run in the root.
pub(crate) fn command(words: &[&str]) -> Command {
    let (program, arguments) = words.split_first().unwrap_or((&"", &[]));
    let mut command = Command::new(program);
    command.args(arguments).current_dir(root());
    command
}

/// Runs a command with our own input and output, after showing it.
pub(crate) fn run(command: &mut Command) -> Result<(), CommandError> {
    let line = line(command);
    eprintln!("    {line}");
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(CommandError::Failed { line, status }),
        Err(source) => Err(CommandError::Start { line, source }),
    }
}

/// Runs a command as [`run`] does, but returns what it writes to stdout.
pub(crate) fn output(command: &mut Command) -> Result<String, CommandError> {
    let line = line(command);
    eprintln!("    {line}");
    match command.stderr(Stdio::inherit()).output() {
        Ok(output) if output.status.success() => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        Ok(output) => Err(CommandError::Failed { line, status: output.status }),
        Err(source) => Err(CommandError::Start { line, source }),
    }
}

/// The command as one would type it.
fn line(command: &Command) -> String {
    let variables = command
        .get_envs()
        .filter_map(|(name, value)| Some(format!("{}={}", name.display(), quoted(&value?.to_string_lossy()))));
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words = words.map(|word| quoted(&word.to_string_lossy()));
    variables.chain(words).collect::<Vec<_>>().join(" ")
}

fn quoted(word: &str) -> String {
    if word.contains(char::is_whitespace) { format!("'{word}'") } else { word.to_owned() }
}

#[test]
fn a_command_is_shown_as_one_would_type_it() {
    let mut shown = command(&["cargo", "doc", "--no-deps"]);
    shown.env("RUSTDOCFLAGS", "-D warnings").env_remove("HOME");
    assert_eq!(line(&shown), "RUSTDOCFLAGS='-D warnings' cargo doc --no-deps");
}

#[test]
fn failures_name_the_command() {
    let failed = run(&mut command(&["false"])).expect_err("false fails");
    assert!(failed.to_string().starts_with("false failed: exit status"), "{failed}");
    let missing = run(&mut command(&["no-such-program"])).expect_err("it does not exist");
    assert!(missing.to_string().starts_with("cannot run no-such-program"), "{missing}");
}
