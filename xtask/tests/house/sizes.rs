//! How long a file may be.

use crate::tree::{File, files};

/// About 100 is the aim, over 300 is seldom right, more than this is not read any more.
const CEILING: usize = 400;

/// The first words of a file that is long because it is a list, such as the settings or the schema.
const TABLE: &str = "//! A table: ";

fn faults(files: &[File]) -> Vec<String> {
    let long = files.iter().filter(|file| file.is_rust() && !file.text.starts_with(TABLE));
    let long = long.map(|file| (&file.path, file.text.lines().count())).filter(|(_, lines)| *lines > CEILING);
    long.map(|(path, lines)| format!("{path} has {lines} lines, {CEILING} is the most; it does more than one thing"))
        .collect()
}

#[test]
fn no_file_is_too_long_to_read() {
    crate::assert_none("sizes", &faults(&files()));
}

#[test]
fn a_long_file_is_found_unless_it_is_a_table() {
    let find = |path: &str, text: &str| faults(&[File::example(path, text)]).len();
    let lines = "x();\n".repeat(CEILING);
    assert_eq!(find("a.rs", &lines), 0);
    assert_eq!(find("a.rs", &format!("{lines}x();\n")), 1);
    assert_eq!(find("a.rs", &format!("{TABLE}all settings.\n{lines}")), 0);
    assert_eq!(find("a.json", &format!("{lines}x();\n")), 0);
}
