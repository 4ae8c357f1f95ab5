//! `docs/cases.md` names tests that are there.

use std::collections::BTreeSet;

use crate::tree::{File, files};

const PAGE: &str = "docs/cases.md";

fn faults(page: &str, files: &[File]) -> Vec<String> {
    let tests = files.iter().filter(|file| file.is_rust()).flat_map(|file| functions(&file.text));
    let tests: BTreeSet<_> = tests.collect();
    let rows = page.lines().filter(|line| line.starts_with("| B"));
    rows.filter_map(|row| fault(row, &tests)).collect()
}

/// The names of the functions without parameters in a source, as tests are.
fn functions(source: &str) -> impl Iterator<Item = &str> {
    source
        .split("fn ")
        .skip(1)
        .filter_map(|rest| rest.split_once("()").map(|(name, _)| name))
        .filter(|name| is_name(name))
}

fn is_name(text: &str) -> bool {
    text.contains('_') && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
}

fn fault(row: &str, tests: &BTreeSet<&str>) -> Option<String> {
    let cells: Vec<_> = row.trim_matches('|').split(" | ").map(str::trim).collect();
    let [case, _, _, keepers] = cells[..] else { return Some(format!("{row}: four cells, please")) };
    let mut names = keepers.split('`').skip(1).step_by(2).filter(|name| is_name(name)).peekable();
    if names.peek().is_none() && !keepers.starts_with("none: ") {
        return Some(format!("{case} names no test and does not say why: none: …"));
    }
    names.find(|name| !tests.contains(name)).map(|gone| format!("{case}: there is no test {gone}"))
}

#[test]
fn every_test_that_keeps_a_fault_out_is_there() {
    let files = files();
    let page = files.iter().find(|file| file.path == PAGE).unwrap_or_else(|| panic!("{PAGE} is missing"));
    assert!(page.text.lines().filter(|line| line.starts_with("| B")).count() > 50);
    crate::assert_none(PAGE, &faults(&page.text, &files));
}

#[test]
fn a_case_without_its_test_is_found() {
    let files = [File::example("a.rs", "#[test]\nfn it_holds() {}\nfn with(x: u8) {}")];
    let find = |cell: &str| faults(&format!("| B01 | what | where | {cell} |"), &files).len();
    assert_eq!((find("`it_holds`"), find("none: there is nothing"), find("`it_holds`, of `deploy/`")), (0, 0, 0));
    assert_eq!((find("`it_broke`"), find("`it_holds`, `it_broke`"), find(""), find("`with_x`")), (1, 1, 1, 1));
}
