//! Which crates of others stay behind a wall.

use crate::tree::{Crate, crates, root};

/// A crate of others, and the only crates of ours whose code may use it. `deny.toml` says the same to cargo-deny, which
/// also sees what comes by way of others.
const WALLS: &[(&str, &[&str])] = &[
    ("axum", &["hny-server"]),
    ("clickhouse", &["hny-clicks"]),
    ("hyper", &["hny-server"]),
    ("hyper-util", &["hny-server"]),
    ("rdkafka", &["hny-clicks"]),
    ("redis", &["hny-redis"]),
    ("refinery", &["hny-store"]),
    ("rusqlite", &["hny-mapping", "hny-store", "hny-testkit"]),
    ("tokio-postgres", &["hny-store"]),
    ("ureq", &["hny-guard"]),
];

/// The words and rules do no input or output and run under no framework: nothing of this kind comes in.
const PURE: &[&str] = &["hny-domain", "hny-codes"];
const IMPURE: &[&str] = &[
    "async-trait",
    "clap",
    "futures",
    "futures-util",
    "http",
    "tokio",
    "tokio-util",
    "tower",
    "tracing",
    "tracing-subscriber",
];

fn faults(crates: &[Crate]) -> Vec<String> {
    let uses = crates.iter().flat_map(|from| from.dependencies.iter().map(move |to| (from, to)));
    uses.filter(|(_, to)| !to.for_tests).filter_map(|(from, to)| fault(&from.name, &to.name)).collect()
}

fn fault(from: &str, to: &str) -> Option<String> {
    if let Some((_, allowed)) = WALLS.iter().find(|(name, allowed)| *name == to && !allowed.contains(&from)) {
        return Some(format!("{from} may not use {to}: only {allowed:?} may"));
    }
    (PURE.contains(&from) && IMPURE.contains(&to))
        .then(|| format!("{from} may not use {to}: it does no I/O, async or HTTP"))
}

#[test]
fn crates_of_others_stay_behind_their_walls() {
    crate::assert_none("walls around crates of others", &faults(&crates()));
}

#[test]
fn a_hole_in_a_wall_is_found() {
    let find = |name: &str, dependencies: &[&str]| faults(&[Crate::example(name, dependencies)]).len();
    assert_eq!(find("hny-server", &["axum", "hyper", "hyper-util", "tokio"]), 0);
    assert_eq!(find("hny-wire", &["axum"]), 1);
    assert_eq!(find("hny", &["hyper", "rusqlite"]), 2);
    assert_eq!(find("hny", &["dev:rusqlite"]), 0);
    assert_eq!(find("hny-domain", &["url", "tokio", "rusqlite"]), 2);
    assert_eq!(find("hny-codes", &["tracing"]), 1);
}

#[test]
fn cargo_deny_knows_every_wall() {
    let deny = std::fs::read_to_string(root().join("deny.toml")).expect("deny.toml is in the root");
    let missing = WALLS.iter().filter(|(name, _)| !deny.contains(&format!("{{ crate = \"{name}\", wrappers = [")));
    let missing: Vec<_> = missing.map(|(name, _)| format!("{name} has no entry in bans.deny")).collect();
    crate::assert_none("deny.toml", &missing);
}
