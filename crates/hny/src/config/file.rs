//! The settings in `hny.toml`.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use toml::{Table, Value};

use super::problem::Problem;
use super::setting::{Kind, Secrecy, Setting};
use super::settings;
use super::written::{Layer, Source};

/// Reads the file that somebody named by flag or variable; it must be there.
pub(super) fn read_named(path: PathBuf, named_by: &str, problems: &mut Vec<Problem>) -> Option<Layer> {
    match fs::read_to_string(&path) {
        Ok(text) => Some(read(path, &text, problems)),
        Err(error) => {
            let detail = format_args!("the file {} cannot be read: {error}", path.display());
            problems.push(Problem::new(named_by, detail));
            None
        }
    }
}

/// Reads the file if it is there.
pub(super) fn read_if_there(path: PathBuf, problems: &mut Vec<Problem>) -> Option<Layer> {
    match fs::read_to_string(&path) {
        Ok(text) => Some(read(path, &text, problems)),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => {
            problems.push(Problem::new(path.display().to_string(), format_args!("cannot be read: {error}")));
            None
        }
    }
}

fn read(path: PathBuf, text: &str, problems: &mut Vec<Problem>) -> Layer {
    let table = text.parse::<Table>().unwrap_or_else(|error| {
        problems.push(syntax_problem(&path, text, &error));
        Table::new()
    });
    let mut values = BTreeMap::new();
    for (key, value) in &table {
        let name = format!("{}:{key}", path.display());
        match entry(key, value, name) {
            Ok((key, text)) if !text.is_empty() => _ = values.insert(key, text),
            Ok(_) => {}
            Err(problem) => problems.push(problem),
        }
    }
    Layer { source: Source::File(path), values }
}

/// Says where the file stops being TOML. Not with the text of the line, which the parser would show: it may be a secret.
fn syntax_problem(path: &Path, text: &str, error: &toml::de::Error) -> Problem {
    let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    let detail = format_args!("this is not TOML: {}; write each setting once, as name = \"value\"", error.message());
    Problem::new(format!("{}:{line}", path.display()), detail)
}

fn entry(key: &str, value: &Value, name: String) -> Result<(&'static str, String), Problem> {
    let known = || settings::all().flat_map(|setting| setting.all_names().map(move |names| (setting, names.key)));
    let Some((setting, key)) = known().find(|(_, known)| *known == key) else {
        return Err(Problem::unknown(name, key, known().map(|(_, known)| known)));
    };
    match text_of(setting, value) {
        Some(text) => Ok((key, text)),
        None if setting.kind == Kind::List => {
            Err(Problem::new(name, "must be a list of texts, such as [\"a\", \"b\"]"))
        }
        None => Err(Problem::new(name, "must be one text in quotes")),
    }
}

/// A value as the text that the environment would have had. A secret is always in quotes: as a number, `0123` or `1e3` would
/// come out as something else than what was written.
fn text_of(setting: &Setting, value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Integer(number) if setting.secrecy == Secrecy::Open => Some(number.to_string()),
        Value::Boolean(boolean) if setting.secrecy == Secrecy::Open => Some(boolean.to_string()),
        Value::Array(items) if setting.kind == Kind::List => {
            let texts: Option<Vec<&str>> = items.iter().map(Value::as_str).collect();
            Some(texts?.join(","))
        }
        _ => None,
    }
}
