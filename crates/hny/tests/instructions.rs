//! A hot redirect takes no more instructions than `bench/instructions.toml` says. Time cannot be tested on a machine that
//! does other things too; instructions can.
#![cfg(test)]

use std::path::Path;
use tempfile::TempDir;

/// The build under test, as the file calls it.
const PROFILE: &str = if cfg!(debug_assertions) { "dev" } else { "release" };

#[test]
fn a_hot_redirect_takes_no_more_instructions_than_recorded() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/instructions.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    let budget = toml::from_str::<toml::Table>(&text).unwrap()[PROFILE].as_integer().unwrap().unsigned_abs();
    let folder = TempDir::new().unwrap();
    let (taken, _) = hny_testkit::redirect_instructions(Path::new(env!("CARGO_BIN_EXE_hny")), folder.path());
    assert!(
        taken <= budget,
        "a hot redirect takes {taken} instructions, and bench/instructions.toml allows {budget} ({PROFILE}); \
         if what it does now is worth that, write {taken} there, rounded up, and say why"
    );
    assert!(
        taken * 5 >= budget * 4,
        "a hot redirect takes only {taken} instructions: write that into bench/instructions.toml ({PROFILE}), rounded up, \
         or {budget} will hide the next mistake"
    );
}
