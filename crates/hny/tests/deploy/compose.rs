//! `deploy/compose.yaml`.

use std::path::Path;
use std::process::{Command, Output};

use hny_testkit::Program;
use serde_json::Value;

use crate::COMPOSE;

const EXAMPLE: &str = include_str!("../../../../deploy/.env.example");
const SITE: &str = include_str!("../../../../deploy/nginx/hny.conf");

/// The variables of `.env.example`, and what they are there.
fn variables() -> impl Iterator<Item = (&'static str, &'static str)> {
    EXAMPLE.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once('='))
}

/// A `.env` in which everything is filled in but `without`.
fn filled_in(without: Option<&str>) -> String {
    let line = |(name, value): (&str, &str)| match (value, Some(name) == without) {
        ("", false) => format!("{name}=filled-in\n"),
        _ => format!("{name}={value}\n"),
    };
    variables().map(line).collect()
}

/// Has Docker Compose read the file. `None` where it is not installed, which is said.
fn config(env: &str) -> Option<Output> {
    let there = Command::new("docker").args(["compose", "version"]).output();
    if !there.is_ok_and(|there| there.status.success()) {
        eprintln!("left out: `docker compose version` fails, so Docker Compose is not there to read the file");
        return None;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let env_file = folder.path().join("env");
    std::fs::write(&env_file, env).expect("the folder can be written");
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy/compose.yaml");
    let mut compose = Command::new("docker");
    compose.arg("compose").arg("--env-file").arg(&env_file).arg("--file").arg(file);
    compose.args(["--profile", "*", "config", "--format", "json"]);
    for (name, _) in variables() {
        compose.env_remove(name);
    }
    Some(compose.output().expect("docker is there"))
}

#[test]
fn compose_accepts_it_and_only_nginx_is_published() {
    let Some(read) = config(&filled_in(None)) else { return };
    let said = String::from_utf8_lossy(&read.stderr);
    assert!(read.status.success() && said.is_empty(), "{said}");
    let project: Value = serde_json::from_slice(&read.stdout).expect("JSON was asked for");
    let services = project["services"].as_object().expect("there are services");
    let published: Vec<_> = services.iter().filter(|(_, service)| !service["ports"].is_null()).collect();
    assert_eq!(published.iter().map(|(name, _)| *name).collect::<Vec<_>>(), ["nginx"]);
    for (name, service) in services {
        assert!(!service["restart"].is_null(), "{name}");
        assert!(!service["deploy"]["resources"]["limits"]["memory"].is_null(), "{name}");
        // The nodes have that of their image.
        assert!(name.starts_with("hny-") || !service["healthcheck"].is_null(), "{name}");
    }
}

#[test]
fn nothing_that_must_be_set_has_a_default() {
    for (name, _) in variables().filter(|(_, value)| value.is_empty()) {
        let Some(read) = config(&filled_in(Some(name))) else { return };
        let said = String::from_utf8_lossy(&read.stderr);
        assert!(!read.status.success() && said.contains(name) && said.contains("set it in .env"), "{name}: {said}");
    }
}

#[test]
fn every_variable_of_the_file_is_in_the_example() {
    let known: Vec<_> = variables().map(|(name, _)| name).collect();
    // `$$` is a dollar sign for the container.
    for used in COMPOSE.split("${").skip(1).filter_map(|rest| rest.split([':', '}']).next()) {
        assert!(known.contains(&used), "{used} is not in .env.example");
    }
    assert!(known.iter().all(|name| COMPOSE.contains(&format!("${{{name}:"))), "{known:?}");
}

/// The settings of a node in the file, with every password filled in.
fn settings() -> Vec<(&'static str, String)> {
    let line =
        |line: &'static str| line.strip_prefix("    ")?.split_once(": ").filter(|(name, _)| name.starts_with("HNY_"));
    COMPOSE.lines().filter_map(line).map(|(name, value)| (name, fill_in(name, value))).collect()
}

fn fill_in(name: &str, value: &str) -> String {
    match value.split_once("${") {
        None => value.to_owned(),
        Some(_) if name == "HNY_BASE_URL" => "https://hny.example".to_owned(),
        Some((front, rest)) => format!("{front}secret{}", rest.split_once('}').expect("it is closed").1),
    }
}

fn setting(name: &str) -> String {
    settings().into_iter().find(|(other, _)| *other == name).expect("it is set").1
}

#[test]
fn a_node_understands_its_settings() {
    let program = settings()
        .iter()
        .fold(Program::new(env!("CARGO_BIN_EXE_hny")), |program, (name, value)| program.env(name, value));
    assert!(settings().len() > 5);
    let checked = program.run(["config", "check"]);
    let said = String::from_utf8_lossy(&checked.stderr);
    // A part that is still to come is told apart from a mistake.
    let mistakes: Vec<_> =
        said.lines().filter(|line| line.contains("HNY_") && !line.contains("not part of this version yet")).collect();
    assert_eq!(mistakes, [""; 0], "{said}");
}

#[test]
fn nodes_believe_nginx_and_nobody_else() {
    let nginx = COMPOSE.split("  nginx:\n").nth(1).and_then(|nginx| nginx.split("ipv4_address: ").nth(1));
    let address = nginx.and_then(|rest| rest.split(' ').next()).expect("nginx has an address");
    assert_eq!(setting("HNY_TRUSTED_PROXIES"), format!("{address}/32"));
}

#[test]
fn a_node_drains_for_longer_than_nginx_may_use_an_old_connection_or_leave_a_node_out() {
    let seconds = |text: &str| text.trim_end_matches(';').strip_suffix('s').and_then(|text| text.parse::<u32>().ok());
    let delay = seconds(&setting("HNY_DRAIN_DELAY")).expect("seconds");
    let words: Vec<_> =
        SITE.lines().filter(|line| !line.trim_start().starts_with('#')).flat_map(str::split_whitespace).collect();
    let kept = words.windows(2).filter(|pair| pair[0] == "keepalive_timeout").filter_map(|pair| seconds(pair[1]));
    let left_out = words.iter().filter_map(|word| seconds(word.strip_prefix("fail_timeout=")?));
    let times: Vec<_> = kept.chain(left_out).collect();
    assert!(times.len() == 6 && times.iter().all(|time| time + 1 < delay), "{times:?} {delay}");
}
