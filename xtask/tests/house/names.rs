//! What a file or folder may not be called: a name that says nothing collects everything.

use crate::tree::{File, files};
use std::collections::BTreeSet;

const EMPTY_NAMES: &[&str] = &["common", "core", "helper", "helpers", "manager", "misc", "types", "util", "utils"];

fn faults(files: &[File]) -> Vec<String> {
    let parts = files.iter().flat_map(|file| file.path.split('/'));
    let names: BTreeSet<_> = parts.filter(|part| says_nothing(part)).collect();
    names.into_iter().map(|name| format!("{name}: call it after what it is about")).collect()
}

/// Whether a name, or its last word, is an empty one. (`media_types` names what it holds; `types` alone does not.)
fn says_nothing(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name);
    let last = stem.rsplit(['_', '-']).next().unwrap_or(stem);
    EMPTY_NAMES.contains(&stem) || (EMPTY_NAMES.contains(&last) && last != "types")
}

#[test]
fn every_name_says_what_it_is_about() {
    crate::assert_none("names", &faults(&files()));
}

#[test]
fn an_empty_name_is_found() {
    let find = |path: &str| faults(&[File::example(path, "")]).len();
    for path in [
        "crates/hny/src/utils.rs",
        "crates/hny-core/src/lib.rs",
        "crates/hny/tests/common/mod.rs",
        "a/url_helpers.rs",
        "types.rs",
    ] {
        assert_eq!(find(path), 1, "{path}");
    }
    for path in ["crates/hny-codes/src/lib.rs", "a/media_types.rs", "a/scoreboard.rs", ".github/CODEOWNERS"] {
        assert_eq!(find(path), 0, "{path}");
    }
}
