use std::ffi::OsString;

use clap::error::ErrorKind;

use super::config::ConfigCommand;
use super::key::{CreateArgs, KeyCommand};
use super::*;
use crate::config::setting::Setting;
use crate::config::settings;

fn parsed(line: &str) -> Result<Typed, clap::Error> {
    parse(std::iter::once("hny").chain(line.split_whitespace()).map(OsString::from))
}

fn typed(line: &str) -> Typed {
    parsed(line).unwrap_or_else(|error| panic!("{line}: {error}"))
}

fn kind(line: &str) -> Option<ErrorKind> {
    parsed(line).err().map(|error| error.kind())
}

fn help(line: &str) -> String {
    parsed(line).err().map(|error| error.to_string()).unwrap()
}

#[test]
fn the_definition_is_valid() {
    definition().debug_assert();
}

#[test]
fn nothing_typed_is_serve() {
    assert_eq!(typed("").command, Command::Action(Action::Serve));
    assert_eq!(typed("serve").command, Command::Action(Action::Serve));
}

#[test]
fn every_command_is_understood() {
    let stats = |args| Command::Action(Action::Stats(stats::StatsArgs { code: "aB3".to_owned(), ..args }));
    for (line, command) in [
        ("config check --json", Command::Config(ConfigCommand::Check { json: true })),
        ("config show", Command::Config(ConfigCommand::Show { json: false })),
        ("config example", Command::Config(ConfigCommand::Example)),
        ("migrate", Command::Action(Action::Migrate)),
        ("health", Command::Action(Action::Health)),
        (
            "resolve aB3 --json",
            Command::Action(Action::Resolve(resolve::ResolveArgs { code: "aB3".to_owned(), json: true })),
        ),
        ("stats aB3 --json", stats(stats::StatsArgs { json: true, ..stats::StatsArgs::default() })),
        (
            "stats aB3 --from 2030-01-01 --group-by os --tz UTC",
            stats(stats::StatsArgs {
                from: Some("2030-01-01".to_owned()),
                group_by: Some("os".to_owned()),
                tz: Some("UTC".to_owned()),
                ..stats::StatsArgs::default()
            }),
        ),
        (
            "key create --name ci --role admin",
            Command::Action(Action::Key(KeyCommand::Create(CreateArgs {
                name: "ci".to_owned(),
                role: hny_domain::Role::Admin,
                own_links: false,
                domain: None,
                expires: None,
                json: false,
            }))),
        ),
        (
            "key create --name ci --role reader --own-links --domain go.example --expires 2030-01-01T00:00:00Z --json",
            Command::Action(Action::Key(KeyCommand::Create(CreateArgs {
                name: "ci".to_owned(),
                role: hny_domain::Role::Reader,
                own_links: true,
                domain: Some("go.example".to_owned()),
                expires: Some("2030-01-01T00:00:00Z".to_owned()),
                json: true,
            }))),
        ),
        ("key revoke 3", Command::Action(Action::Key(KeyCommand::Revoke { id: 3, json: false }))),
    ] {
        assert_eq!(typed(line).command, command, "{line}");
    }
}

#[test]
fn a_setting_may_stand_before_or_after_its_command() {
    for line in ["--listen 1 serve", "serve --listen 1", "--listen=1", "--listen 2 serve --listen 1"] {
        assert_eq!(typed(line).flags.values.get("listen").map(String::as_str), Some("1"), "{line}");
    }
    assert_eq!(typed("key list --database-url-file f").flags.values.get("database_url_file").unwrap(), "f");
    assert_eq!(typed("key list --config a.toml").flags.config, Some("a.toml".into()));
}

#[test]
fn every_setting_is_a_flag_of_every_command() {
    let commands =
        ["", "serve", "resolve a", "stats a", "key list", "key revoke 1", "migrate", "config show", "config example"];
    for line in commands {
        for names in settings::all().flat_map(Setting::all_names) {
            let typed = typed(&format!("{line} --{} x", names.flag));
            assert_eq!(typed.flags.values.get(names.key).map(String::as_str), Some("x"), "{line} --{}", names.flag);
        }
    }
}

#[test]
fn the_redirect_status_of_a_link_is_not_the_setting() {
    let Typed { command, flags } = typed("shorten https://example.com --redirect-status 301 --code-length 9");
    let Command::Action(Action::Shorten(shorten)) = command else { panic!("{command:?}") };
    assert_eq!((shorten.redirect_status, shorten.url.as_str()), (Some(301), "https://example.com"));
    assert_eq!(flags.values.into_iter().collect::<Vec<_>>(), [("code_length", "9".to_owned())]);
    let Typed { command, flags } = typed("--redirect-status 308 shorten https://example.com");
    assert!(matches!(command, Command::Action(Action::Shorten(shorten)) if shorten.redirect_status.is_none()));
    assert_eq!(flags.values["redirect_status"], "308");
}

#[test]
fn what_cannot_be_meant_is_refused() {
    for (line, error) in [
        ("srve", ErrorKind::InvalidSubcommand),
        ("--lisen 1", ErrorKind::UnknownArgument),
        ("--listen 1 --listen 2", ErrorKind::ArgumentConflict),
        ("shorten", ErrorKind::MissingRequiredArgument),
        ("key create --name ci --role king", ErrorKind::ValueValidation),
        ("key revoke first", ErrorKind::ValueValidation),
        ("config", ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand),
        ("--version", ErrorKind::DisplayVersion),
    ] {
        assert_eq!(kind(line), Some(error), "{line}");
    }
}

#[test]
fn the_short_help_fits_a_screen_and_the_long_one_lists_the_settings() {
    for line in ["-h", "serve -h", "shorten -h", "shorten --help", "key create --help", "config show --help"] {
        let help = help(line);
        assert!(help.lines().count() <= 24, "{line}:\n{help}");
        assert!(!help.contains("--cache-bytes"), "{line}:\n{help}");
    }
    for line in ["--help", "serve --help"] {
        let help = help(line);
        assert!(help.contains("--cache-bytes <SIZE>") && help.contains("--keep-clicks <TIME>"), "{line}:\n{help}");
    }
}
