//! The settings as flags, made from the table.

use std::collections::BTreeMap;

use clap::{Arg, ArgMatches, Command};

use crate::config::setting::{DefaultValue, Names, Setting};
use crate::config::settings;

/// What every help text ends with.
pub(super) const NOTE: &str = "Every setting is also a flag of every command, a HNY_… variable and a key in hny.toml:\n\
                               'hny --help' lists them, 'hny config example' explains them.";

/// Whether `--help` lists the settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Listing {
    /// It does; the short `-h` does not.
    Shown,
    /// They work, but would drown what the command itself takes.
    Hidden,
}

/// Adds every setting to `command` and to all below it.
///
/// Not clap's global arguments: those cannot give way to a flag of the same name in a single command.
pub(super) fn add_to(command: Command, listing: Listing) -> Command {
    let taken: Vec<String> = command.get_arguments().filter_map(|arg| arg.get_long()).map(str::to_owned).collect();
    let free = |names: &Names| !taken.iter().any(|long| long == names.flag);
    let args = settings::all()
        .flat_map(|setting| setting.all_names().map(move |names| (setting, names)))
        .filter(|(_, names)| free(names))
        .map(|(setting, names)| arg(setting, names, listing));
    command.args(args).mut_subcommands(|below| {
        let listing = if below.get_name() == "serve" { Listing::Shown } else { Listing::Hidden };
        add_to(below, listing).after_help(NOTE)
    })
}

fn arg(setting: &'static Setting, names: &'static Names, listing: Listing) -> Arg {
    let is_twin = *names != setting.names;
    let arg = Arg::new(names.env)
        .long(names.flag)
        .value_name(if is_twin { "FILE" } else { setting.value_name })
        .help_heading("Settings")
        .hide_short_help(true)
        .hide(listing == Listing::Hidden);
    if is_twin { arg.help(format!("Read {} from this file", setting.names.key)) } else { arg.help(help(setting)) }
}

fn help(setting: &Setting) -> String {
    let doc = setting.doc.replace('`', "");
    match setting.default {
        DefaultValue::Fixed(text) => format!("{doc} [default: {text}]"),
        DefaultValue::Found(description) => format!("{doc} [default: {}]", description.replace('`', "")),
        DefaultValue::Nothing => doc,
    }
}

/// What was typed, by key. A flag after the subcommand beats the same one before it.
pub(super) fn collect(matches: &ArgMatches) -> BTreeMap<&'static str, String> {
    let mut values = BTreeMap::new();
    let mut level = Some(matches);
    while let Some(matches) = level {
        for names in settings::all().flat_map(Setting::all_names) {
            // Not every command has every flag: see `add_to`.
            if let Ok(Some(text)) = matches.try_get_one::<String>(names.env) {
                values.insert(names.key, text.clone());
            }
        }
        level = matches.subcommand().map(|(_, below)| below);
    }
    values
}
