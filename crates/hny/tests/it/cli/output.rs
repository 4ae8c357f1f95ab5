//! What all commands have in common: streams and exit codes.

use std::process::{Command, Stdio};

use super::{assert_failed, said, talk};
use crate::site::program;

#[test]
fn whoever_stops_reading_early_is_no_failure() {
    let program = program();
    assert!(program.run(["migrate"]).status.success());
    for words in [vec!["config", "example"], vec!["config", "show"], vec!["--help"], vec!["key", "list", "--json"]] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let child = Command::new(env!("CARGO_BIN_EXE_hny"))
            .args(&words)
            .current_dir(program.folder())
            .stdin(Stdio::null())
            .stdout(writer)
            .stderr(Stdio::piped())
            .spawn();
        let output = child.unwrap().wait_with_output().unwrap();
        assert_eq!((output.status.code(), talk(&output)), (Some(0), ""), "{words:?}");
    }
}

#[test]
fn a_full_disk_is_a_failure() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_hny"))
        .args(["config", "example"])
        .current_dir(program().folder())
        .stdout(full)
        .output()
        .unwrap();
    assert_failed(&output, 1);
}

#[test]
fn help_and_version_are_data_and_mistakes_are_talk() {
    for words in [["--help"], ["-h"], ["--version"], ["-V"]] {
        let output = program().run(words);
        assert!(output.status.success() && !said(&output).is_empty() && talk(&output).is_empty(), "{output:?}");
    }
    assert_eq!(said(&program().run(["--version"])), format!("hny {}", env!("CARGO_PKG_VERSION")));
    for words in [vec!["no-such-command"], vec!["--no-such-flag"], vec!["key"], vec!["config"], vec!["resolve"]] {
        assert_failed(&program().run(words), 2);
    }
}

#[test]
fn an_address_that_is_taken_is_named() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    for name in ["HNY_LISTEN", "HNY_METRICS_LISTEN"] {
        let stopped = program().env(name, &address).run(["serve"]);
        assert_failed(&stopped, 1);
        assert!(talk(&stopped).contains(&address), "{stopped:?}");
    }
}
