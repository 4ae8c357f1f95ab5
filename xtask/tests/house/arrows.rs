//! Which of our crates may know which. The arrows point down only.

use crate::tree::{Crate, crates};

/// For each crate of ours, the crates of ours that it may depend on. What is not here is not allowed: resolve, clicks,
/// service and guard do not know each other, and server reaches the store only through them.
const ARROWS: &[(&str, &[&str])] = &[
    (
        "hny",
        &[
            "hny-clicks",
            "hny-codes",
            "hny-domain",
            "hny-guard",
            "hny-redis",
            "hny-resolve",
            "hny-server",
            "hny-service",
            "hny-store",
            "hny-wire",
        ],
    ),
    ("hny-fuzz", &["hny-clicks", "hny-domain", "hny-guard", "hny-wire"]),
    ("hny-server", &["hny-clicks", "hny-domain", "hny-guard", "hny-resolve", "hny-service", "hny-wire"]),
    ("hny-resolve", &["hny-domain", "hny-redis", "hny-store"]),
    ("hny-clicks", &["hny-domain", "hny-store"]),
    ("hny-service", &["hny-codes", "hny-domain", "hny-redis", "hny-store"]),
    ("hny-guard", &["hny-domain", "hny-redis", "hny-store"]),
    ("hny-wire", &["hny-domain"]),
    ("hny-redis", &["hny-domain"]),
    ("hny-store", &["hny-domain", "hny-mapping"]),
    ("hny-mapping", &[]),
    ("hny-statistics-contract", &["hny-domain"]),
    ("hny-domain", &["hny-codes"]),
    ("hny-codes", &[]),
    ("xtask", &["bench-visitors", "hny-testkit"]),
    ("hny-testkit", &[]),
    ("bench-visitors", &[]),
    ("epoll-responder", &[]),
];

/// The crate that starts the program for tests: anyone's tests may use it, no product code may.
const TESTKIT: &str = "hny-testkit";

fn faults(crates: &[Crate]) -> Vec<String> {
    crates.iter().flat_map(|from| faults_of(from, crates)).collect()
}

fn faults_of(from: &Crate, crates: &[Crate]) -> Vec<String> {
    let Some((_, allowed)) = ARROWS.iter().find(|(name, _)| *name == from.name) else {
        return vec![format!(
            "{} has no row in the table of xtask/tests/house/arrows.rs: say what it may know",
            from.name
        )];
    };
    let ours = from.dependencies.iter().filter(|to| crates.iter().any(|other| other.name == to.name));
    let wrong = ours.filter(|to| !allowed.contains(&to.name.as_str()) && !allowed_in_tests(from, to.for_tests));
    wrong.map(|to| format!("{} may not depend on {}; it may on {allowed:?}", from.name, to.name)).collect()
}

/// Tests may look further than the code they test, but the bottom and the test kit stay alone even there: the kit must
/// not agree with the program about a mistake.
fn allowed_in_tests(from: &Crate, for_tests: bool) -> bool {
    for_tests && from.name != TESTKIT
}

#[test]
fn our_crates_know_only_what_lies_below_them() {
    crate::assert_none("arrows between our crates", &faults(&crates()));
}

#[test]
fn the_table_itself_points_down() {
    for (row, (from, allowed)) in ARROWS.iter().enumerate() {
        for to in *allowed {
            let below = ARROWS.iter().position(|(name, _)| name == to);
            assert!(below.is_some_and(|below| below > row), "{from} → {to} points up or nowhere");
        }
    }
}

#[test]
fn an_arrow_that_points_up_or_sideways_is_found() {
    let codes = || Crate::example("hny-codes", &["rand"]);
    let find = |crates: &[Crate]| faults(crates).len();
    assert_eq!(find(&[codes(), Crate::example("hny-domain", &["hny-codes", "url"])]), 0);
    assert_eq!(find(&[Crate::example("hny-codes", &["hny-domain"]), Crate::example("hny-domain", &[])]), 1);
    let store = || Crate::example("hny-store", &[]);
    assert_eq!(find(&[store(), Crate::example("hny-server", &["hny-store"])]), 1);
    assert_eq!(find(&[store(), Crate::example("hny-server", &["dev:hny-store"])]), 0);
    assert_eq!(find(&[Crate::example("hny-guard", &[]), Crate::example("hny-service", &["hny-guard"])]), 1);
    let kit = || Crate::example(TESTKIT, &[]);
    assert_eq!(find(&[kit(), Crate::example("hny", &["dev:hny-testkit"])]), 0);
    assert_eq!(find(&[kit(), Crate::example("hny", &["hny-testkit"])]), 1);
    assert_eq!(find(&[store(), Crate::example(TESTKIT, &["dev:hny-store"])]), 1);
    assert_eq!(find(&[Crate::example("hny-new", &[])]), 1);
}
