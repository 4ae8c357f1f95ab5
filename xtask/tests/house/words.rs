//! What stands nowhere: lints switched off without a reason, work put off, paths of somebody's machine.

use crate::rust_source::Source;
use crate::tree::{File, files};

// Written in two parts, or this file would be its own first fault.
const PUT_OFF: &[&str] = &[concat!("TO", "DO"), concat!("FIX", "ME"), concat!("XX", "X")];
const MACHINE_PATHS: &[&str] = &[concat!("/wo", "rk/"), concat!("/ro", "ot/")];
const SWITCHED_OFF: &[&str] = &["#[allow(", "#![allow("];

fn faults(file: &File) -> Vec<String> {
    let lines = || file.text.lines().enumerate().map(|(index, line)| (index + 1, line));
    let fault = |number: usize, what: &str| format!("{}:{number}: {what}", file.path);
    let mut faults = Vec::new();
    // Pages may speak about work to come.
    if !file.path.to_lowercase().ends_with(".md") {
        let put_off = lines().filter(|(_, line)| PUT_OFF.iter().any(|word| has_whole(line, word)));
        faults.extend(put_off.map(|(number, _)| fault(number, "do it, or open an issue")));
    }
    let paths = lines().filter(|(_, line)| MACHINE_PATHS.iter().any(|path| line.contains(path)));
    faults.extend(paths.map(|(number, _)| fault(number, "a path that exists on one machine only")));
    if file.is_rust() {
        let source = Source::read(&file.text);
        let off = source.lines().filter(|(_, line)| SWITCHED_OFF.iter().any(|attribute| line.contains(attribute)));
        faults.extend(
            off.map(|(number, _)| fault(number, "write #[expect(…, reason = \"…\")], which ends with its cause")),
        );
    }
    faults
}

/// Whether `word` stands in `line` with no letter, digit or sign of base64 beside it.
fn has_whole(line: &str, word: &str) -> bool {
    let joined = |c: char| c.is_alphanumeric() || "_+/=-".contains(c);
    line.match_indices(word)
        .any(|(at, _)| !line[..at].ends_with(joined) && !line[at + word.len()..].starts_with(joined))
}

#[test]
fn nothing_is_switched_off_put_off_or_tied_to_a_machine() {
    let faults: Vec<_> = files().iter().flat_map(faults).collect();
    crate::assert_none("words that stand nowhere", &faults);
}

#[test]
fn each_such_word_is_found() {
    let find = |path: &str, text: &str| faults(&File::example(path, text)).len();
    for word in PUT_OFF {
        assert_eq!(find("a.rs", &format!("// {word}: later")), 1, "{word}");
        assert_eq!(find("a.html", &format!("<!-- {word} -->")), 1, "{word}");
        assert_eq!(find("a.rs", &format!("let {word}S = 1;")), 0, "{word}");
    }
    for path in MACHINE_PATHS {
        assert_eq!(find("README.md", &format!("see {path}main")), 1, "{path}");
    }
    assert_eq!(find("a.rs", "#[allow(dead_code)]\nfn f() {}"), 1);
    assert_eq!(find("a.rs", "// #[allow(x)] is not used here"), 0);
}
