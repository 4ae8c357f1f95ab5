//! Where clocks, randomness, the environment, the terminal, drivers and HTTP may appear. Tests may do all of these.

use crate::rust_source::Source;
use crate::tree::{File, files};

/// Words that may stand in some rooms only.
struct Rule {
    words: &'static [&'static str],
    /// Beginnings of paths.
    rooms: &'static [&'static str],
    why: &'static str,
}

const RULES: &[Rule] = &[
    Rule {
        words: &[
            "SystemTime::now",
            "Timestamp::now",
            "Zoned::now",
            "Utc::now",
            "UtcDateTime::now",
            "OffsetDateTime::now_utc",
        ],
        rooms: &["crates/hny-domain/src/clock.rs"],
        why: "time is passed in, or expiry could not be tested without waiting",
    },
    Rule {
        words: &["Instant::now"],
        // The lifecycle measures how long a stop may take, a connection how long its client takes, xtask and its
        // visitors how long steps and requests took.
        rooms: &[
            "bench/visitors/",
            "crates/hny-domain/src/clock.rs",
            "crates/hny-server/src/connection",
            "crates/hny/src/lifecycle",
            "xtask/src/",
        ],
        why: "durations are measured where nothing depends on them; deadlines use the timers of tokio",
    },
    Rule {
        words: &[
            "rand::rng",
            "rand::random",
            "thread_rng",
            "make_rng",
            "OsRng",
            "SysRng",
            "from_os_rng",
            "from_entropy",
            "getrandom",
        ],
        rooms: &["crates/hny/src/compose"],
        why: "randomness is passed in from one place, so it is known to be the system's",
    },
    Rule {
        words: &["env::var", "env::var_os", "env::vars", "env::vars_os", "env::args", "env::args_os"],
        rooms: &["bench/", "crates/hny/src/", "crates/hny-store/examples/", "xtask/src/"],
        why: "settings come from one place, or `hny config show` would not tell the truth",
    },
    Rule {
        words: &["print!", "println!", "eprint!", "eprintln!", "dbg!", "io::stdout", "io::stderr"],
        rooms: &["bench/", "crates/hny/src/", "xtask/src/"],
        why: "only commands talk; libraries return values and log",
    },
    Rule {
        words: &["rusqlite", "refinery", "tokio_postgres"],
        rooms: &["crates/hny-mapping/", "crates/hny-store/"],
        why: "the store's contract has no driver in it",
    },
    Rule {
        words: &["unsafe", "unsafe_code"],
        rooms: &["crates/hny-mapping/"],
        why: "what the compiler cannot check is in one small room",
    },
    Rule { words: &["axum", "hyper", "hyper_util"], rooms: &["crates/hny-server/"], why: "HTTP ends at the server" },
];

fn faults(files: &[File]) -> Vec<String> {
    let code = files.iter().filter(|file| file.is_rust() && !file.is_test());
    code.flat_map(faults_of).collect()
}

fn faults_of(file: &File) -> Vec<String> {
    let source = Source::read(&file.text);
    let rules = RULES.iter().filter(|rule| !within(&file.path, rule.rooms));
    rules.flat_map(|rule| rule.faults(&file.path, &source)).collect()
}

impl Rule {
    fn faults(&self, path: &str, source: &Source) -> Vec<String> {
        let lines = source
            .lines()
            .filter_map(|(number, line)| Some((number, self.words.iter().find(|word| has_word(line, word))?)));
        lines
            .map(|(number, word)| format!("{path}:{number}: {word} belongs into {:?}: {}", self.rooms, self.why))
            .collect()
    }
}

/// Whether a path begins with one of these.
pub(crate) fn within(path: &str, rooms: &[&str]) -> bool {
    rooms.iter().any(|room| path.starts_with(room))
}

/// Whether `word` stands in `line` and is not a part of a longer one.
fn has_word(line: &str, word: &str) -> bool {
    let letter = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word)
        .any(|(at, _)| !line[..at].ends_with(letter) && !line[at + word.len()..].starts_with(letter))
}

#[test]
fn clocks_randomness_environment_terminal_and_drivers_stay_in_their_rooms() {
    crate::assert_none("words outside of their rooms", &faults(&files()));
}

#[test]
fn a_word_outside_of_its_room_is_found() {
    let find = |path: &str, text: &str| faults(&[File::example(path, text)]).len();
    for (text, room) in [
        ("let now = SystemTime::now();", "crates/hny-domain/src/clock.rs"),
        ("let start = tokio::time::Instant::now();", "crates/hny/src/lifecycle.rs"),
        ("let rng = rand::rng();", "crates/hny/src/compose.rs"),
        ("use rand::rngs::SysRng;", "crates/hny/src/compose.rs"),
        ("let a = std::env::var(\"HNY_LOG\");", "crates/hny/src/config/read.rs"),
        ("println!(\"x\");", "xtask/src/main.rs"),
        ("use rusqlite::Connection;", "crates/hny-store/src/sqlite/open.rs"),
        ("use axum::Router;", "crates/hny-server/src/routes.rs"),
        ("unsafe { read() }", "crates/hny-mapping/src/methods.rs"),
    ] {
        assert_eq!(find("crates/hny-service/src/create.rs", text), 1, "{text}");
        assert_eq!(find(room, text), 0, "{text}");
        assert_eq!(find("crates/hny/tests/it/create.rs", text), 0, "{text}");
        let in_test = format!("#[cfg(test)]\nmod tests {{ fn f() {{ {text} }} }}");
        assert_eq!(find("crates/hny-service/src/create.rs", &in_test), 0, "{text}");
    }
}

#[test]
fn words_within_other_words_and_comments_are_not_taken() {
    let text = "// SystemTime::now is passed in\nwriteln!(out, \"axum, println!\"); my_rusqlite(); let hyperlink = 1;";
    assert_eq!(faults(&[File::example("crates/hny-service/src/a.rs", text)]), Vec::<String>::new());
}
