//! What flags, environment and file said: texts, each with where it comes from. Nothing here knows what a text means.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;

use super::problem::Problem;
use super::setting::{Names, Setting};
use super::{environment, file, settings};

/// The settings among the flags.
#[derive(Clone, Default)]
pub struct Flags {
    /// `--config`.
    pub config: Option<PathBuf>,
    /// The others, by key.
    pub values: BTreeMap<&'static str, String>,
}

/// Everything that settings are read from.
pub struct Sources {
    /// The command line.
    pub flags: Flags,
    /// The environment.
    pub environment: Vec<(OsString, OsString)>,
    /// The file to read when none is named, if it is there.
    pub default_file: PathBuf,
}

/// What was written, before anyone asks whether it is right.
pub struct Written {
    entries: BTreeMap<&'static str, Entry>,
    pub(super) problems: Vec<Problem>,
    pub(super) no_color: bool,
}

/// A value and where it comes from.
pub(super) struct Entry {
    pub(super) text: String,
    /// As its author wrote it.
    pub(super) name: String,
    pub(super) source: Source,
}

/// Where a value comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Source {
    Flag,
    Environment,
    File(PathBuf),
}

/// Everything that one source said, by key. Empty texts are unset and not in it.
pub(super) struct Layer {
    pub(super) source: Source,
    pub(super) values: BTreeMap<&'static str, String>,
}

impl Sources {
    /// Those of this process: its environment, and `hny.toml` in the folder where it was started.
    pub fn of_process(flags: Flags) -> Self {
        Self { flags, environment: std::env::vars_os().collect(), default_file: "hny.toml".into() }
    }
}

impl Written {
    /// Reads all sources: flags beat environment beats file.
    pub fn gather(sources: Sources) -> Self {
        let mut problems = Vec::new();
        let environment = environment::read(sources.environment, &mut problems);
        let named = sources.flags.config.filter(|path| !path.as_os_str().is_empty());
        let file = match (named, environment.config) {
            (Some(path), _) => file::read_named(path, "--config", &mut problems),
            (None, Some(path)) => file::read_named(path, environment::CONFIG, &mut problems),
            (None, None) => file::read_if_there(sources.default_file, &mut problems),
        };
        let mut flags = Layer { source: Source::Flag, values: sources.flags.values };
        flags.values.retain(|_, text| !text.is_empty());
        let layers: Vec<Layer> = [flags, environment.layer].into_iter().chain(file).collect();
        let mut entries = BTreeMap::new();
        for setting in settings::all() {
            if let Some(entry) = pick(setting, &layers, &mut problems) {
                entries.insert(setting.names.key, entry);
            }
        }
        Self { entries, problems, no_color: environment.no_color }
    }

    pub(super) fn entry(&self, setting: &Setting) -> Option<&Entry> {
        self.entries.get(setting.names.key)
    }

    pub(super) fn text(&self, setting: &Setting) -> Option<&str> {
        self.entry(setting).map(|entry| entry.text.as_str())
    }

    /// What the author of the value calls the setting; its key when nobody wrote it.
    pub(super) fn name(&self, setting: &Setting) -> &str {
        self.entry(setting).map_or(setting.names.key, |entry| &entry.name)
    }
}

/// The value of the first source that has one. Each source may give it itself or in a file, not both.
fn pick(setting: &Setting, layers: &[Layer], problems: &mut Vec<Problem>) -> Option<Entry> {
    let mut picked = None;
    for layer in layers {
        let direct = layer.entry(&setting.names);
        let twin = setting.twin().and_then(|names| layer.entry(names));
        if let (Some(direct), Some(twin)) = (&direct, &twin) {
            problems
                .push(Problem::new(&*twin.name, format_args!("is set and so is {}; keep one of them", direct.name)));
        }
        let twin = if picked.is_none() && direct.is_none() { twin } else { None };
        picked = picked.or(direct).or_else(|| twin.and_then(|entry| entry.follow(problems)));
    }
    picked
}

impl Layer {
    fn entry(&self, names: &Names) -> Option<Entry> {
        let text = self.values.get(names.key)?.clone();
        Some(Entry { text, name: self.source.name(names), source: self.source.clone() })
    }
}

impl Entry {
    /// Reads the file that a twin names; one line end at its end is not part of the secret. The path is not repeated: it
    /// might be the secret itself, put into the wrong variable.
    fn follow(self, problems: &mut Vec<Problem>) -> Option<Self> {
        let text = match fs::read_to_string(&self.text) {
            Ok(text) => text,
            Err(error) => {
                problems.push(Problem::new(self.name, format_args!("names a file that cannot be read: {error}")));
                return None;
            }
        };
        let text = text.strip_suffix('\n').map_or(&*text, |text| text.strip_suffix('\r').unwrap_or(text));
        if text.is_empty() {
            problems.push(Problem::new(self.name, "names a file that is empty"));
            return None;
        }
        Some(Self { text: text.to_owned(), ..self })
    }
}

impl Source {
    /// The name that a setting goes by here.
    pub(super) fn name(&self, names: &Names) -> String {
        match self {
            Self::Flag => format!("--{}", names.flag),
            Self::Environment => names.env.to_owned(),
            Self::File(path) => format!("{}:{}", path.display(), names.key),
        }
    }

    /// The word for it.
    pub(super) const fn as_str(&self) -> &'static str {
        match self {
            Self::Flag => "flag",
            Self::Environment => "environment",
            Self::File(_) => "file",
        }
    }
}
