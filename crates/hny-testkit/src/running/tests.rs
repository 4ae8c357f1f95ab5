use super::announced;
use crate::{DEADLINE, Program};
use std::os::unix::process::ExitStatusExt;

const PHRASE: &str = "listening on http://";

/// A stand-in for the program: a shell that runs `script`.
fn shell(script: &str) -> Program {
    Program::new("/bin/true").under(["sh", "-c", script])
}

#[test]
fn an_address_is_found_in_text_json_and_colour() {
    for line in [
        "INFO hny: listening on http://127.0.0.1:4711\n",
        "listening on http://127.0.0.1:4711/, try it.\n",
        "Listening soon; listening on http://127.0.0.1:4711.\n",
        r#"{"level":"INFO","message":"listening on http://127.0.0.1:4711"}"#,
        "\u{1b}[32mINFO\u{1b}[0m listening on http://127.0.0.1:4711\u{1b}[0m",
    ] {
        assert_eq!(announced(line, PHRASE), Some(([127, 0, 0, 1], 4711).into()), "{line}");
    }
    assert_eq!(announced("listening on http://[::1]:80 now", PHRASE), "[::1]:80".parse().ok());
    assert_eq!(announced("listening on http://nowhere", PHRASE), None);
    assert_eq!(announced("metrics on http://127.0.0.1:1", PHRASE), None);
}

#[test]
fn it_starts_talks_and_stops_when_told() {
    let script =
        "echo listening on http://127.0.0.1:1 >&2; echo metrics on http://127.0.0.1:2 >&2; exec tail -f /dev/null";
    let mut running = shell(script).start();
    assert_eq!(running.url("/a"), "http://127.0.0.1:1/a");
    assert_eq!(running.metrics_address().port(), 2);
    running.terminate();
    assert_eq!(running.wait(DEADLINE).signal(), Some(15));
}

#[test]
fn its_files_grow_only_as_far_as_they_may() {
    // No signal tells it when to write: a shell may miss one.
    let write = "printf 12345678 >file && echo all $n >&2 || echo refused $n >&2";
    let again = format!("n=0; while :; do n=$((n + 1)); {write}; sleep 0.1; done");
    let program = shell(&format!("trap '' XFSZ; echo listening on http://127.0.0.1:1 >&2; {again}"));
    let running = program.start();
    running.limit_file_size(Some(4));
    let refused: u32 = running.wait_for_line(|line| line.strip_prefix("refused ")?.trim_end().parse().ok());
    running.limit_file_size(None);
    running.wait_for_line(|line| {
        let written: u32 = line.strip_prefix("all ")?.trim_end().parse().ok()?;
        (written > refused).then_some(())
    });
}

#[test]
fn an_early_end_is_told_with_its_words() {
    let ended = shell("echo no such setting >&2; exit 3").try_start().err().expect("the script ends");
    assert_eq!(ended.status.code(), Some(3));
    assert_eq!(ended.stderr, b"no such setting\n");
}

#[test]
fn the_environment_holds_only_our_settings() {
    let program = shell("env").env("HNY_LOG", "debug").without_env("HNY_LISTEN").without_env("HNY_CREATE_LIMIT");
    let said = program.without_env("HNY_UNKNOWN_LIMIT").run(["x"]).stdout;
    let said = String::from_utf8(said).expect("settings are text");
    let names: Vec<_> = said.lines().filter(|line| line.starts_with("HNY_")).collect();
    assert_eq!(names.len(), 2, "{names:?}");
    assert!(names.contains(&"HNY_LOG=debug"), "{names:?}");
}

#[test]
fn a_second_program_shares_the_database_of_the_first() {
    let first = shell("true");
    let folder = first.folder().to_owned();
    let second = shell("true").beside(&first);
    drop(first);
    assert_eq!(second.database(), folder.join("hny.db"));
    assert!(folder.exists(), "the folder lives as long as its last user");
    drop(second);
    assert!(!folder.exists(), "and no longer");
}
