//! `hny config example`: a complete `hny.toml`.

use std::fmt;

use serde::Serialize;

use super::setting::{DefaultValue, Kind, Setting};
use super::settings::{GROUPS, Group};

const HEAD: &str = "\
# hny.toml: every setting of hny at its default. Take the # from before a name to change its value.
#
# Each is also a variable (base_url is HNY_BASE_URL) and a flag (--base-url). A flag beats the environment, which beats this
# file. Empty is the same as unset. Sizes are bytes or have a unit (256MiB), times always have one (500ms, 10s, 1m).
";

/// The text of a complete `hny.toml`, made from the table of the settings.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Example;

impl fmt::Display for Example {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(HEAD)?;
        GROUPS.iter().try_for_each(|group| write_group(f, group))
    }
}

fn write_group(f: &mut fmt::Formatter<'_>, group: &Group) -> fmt::Result {
    writeln!(f, "\n# == {} ==", group.title)?;
    for setting in group.settings {
        writeln!(f, "\n# {}.", setting.doc.replace('`', ""))?;
        write_remarks(f, setting)?;
        writeln!(f, "#{} = {}", setting.names.key, default_toml(setting))?;
    }
    Ok(())
}

fn write_remarks(f: &mut fmt::Formatter<'_>, setting: &Setting) -> fmt::Result {
    if let Some(twin) = setting.twin() {
        writeln!(f, "# {} = \"PATH\" reads it from a file.", twin.key)?;
    }
    match setting.default {
        DefaultValue::Found(description) => writeln!(f, "# Unset: {}.", description.replace('`', "")),
        DefaultValue::Nothing => writeln!(f, "# Unset: none."),
        DefaultValue::Fixed(_) => Ok(()),
    }
}

fn default_toml(setting: &Setting) -> String {
    let text = setting.default_text().unwrap_or_default();
    match setting.kind {
        Kind::Number | Kind::Boolean if !text.is_empty() => text.to_owned(),
        Kind::List => {
            let items: Vec<String> = text.split_terminator(',').map(|item| format!("{item:?}")).collect();
            format!("[{}]", items.join(", "))
        }
        Kind::Text | Kind::Number | Kind::Boolean => format!("{text:?}"),
    }
}
