//! `docs/configuration.md`, made from the table of the settings.

use std::fmt::Write as _;
use std::path::Path;

use super::setting::{DefaultValue, Setting};
use super::settings::GROUPS;

const HEAD: &str = "\
# Settings

<!-- Made from the table in crates/hny/src/config/settings.rs: UPDATE_DOCS=1 cargo test -p hny -->

Every setting has three names: a variable (`HNY_BASE_URL`), a flag of every command (`--base-url`) and a key in `hny.toml`
(`base_url`). A flag beats the environment, which beats the file.

The file is the one that `--config` or `HNY_CONFIG` names, which must be there, else `hny.toml` in the folder where the
program is started, if it is there. `hny config example` prints a complete one. `hny config check` says whether the settings
are fine, `hny config show` which values hold and where each comes from.

* Empty is the same as unset.
* Booleans are `true` and `false`; nothing else.
* Sizes are bytes (`1000000`) or have a unit: `KiB`, `MiB`, `GiB`, `TiB`.
* Times always have a unit: `ms`, `s`, `m`, `h`; at most `24h`.
* Lists are separated by commas, in the file also arrays.
* Relative paths start at the folder where the program is started.
* What may hold a secret can be read from a file instead: `HNY_DATABASE_URL_FILE`, `--database-url-file` or
  `database_url_file`. One line end at the end of that file is left out.
* Anything unknown, a name or a value, stops the start (exit code 2), and all problems are told at once. (In a Kubernetes pod
  next to a service called `hny`, the `HNY_SERVICE_…` and `HNY_PORT…` variables that Kubernetes sets are left alone.)
* Whether the log is coloured follows the terminal and [`NO_COLOR`](https://no-color.org).
";

fn reference() -> String {
    let mut text = HEAD.to_owned();
    for group in GROUPS {
        write!(text, "\n## {}\n\n| variable | default | meaning |\n|---|---|---|\n", group.title).unwrap();
        for setting in group.settings {
            writeln!(text, "{}", row(setting)).unwrap();
        }
    }
    text
}

fn row(setting: &Setting) -> String {
    let default = match setting.default {
        DefaultValue::Fixed(value) => format!("`{value}`"),
        DefaultValue::Found(description) => description.to_owned(),
        DefaultValue::Nothing => "none".to_owned(),
    };
    let twin = setting.twin().map(|twin| format!(", or `{}`", twin.env)).unwrap_or_default();
    format!("| `{}`{twin} | {default} | {} |", setting.names.env, setting.doc)
}

#[test]
fn the_reference_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/configuration.md");
    let reference = reference();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, &reference).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        written == reference,
        "docs/configuration.md does not fit the table of the settings; run UPDATE_DOCS=1 cargo test -p hny"
    );
}
