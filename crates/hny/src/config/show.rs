//! `hny config show`: what holds, and where it comes from.

use std::fmt;

use serde::Serialize;

use super::redact::redact;
use super::setting::{DefaultValue, Setting};
use super::settings;
use super::written::Written;

/// Every setting, as far as it may be shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Shown {
    settings: Vec<ShownSetting>,
}

/// A setting, as far as it may be shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ShownSetting {
    /// Its key.
    pub key: &'static str,
    /// Its value without what is secret; `None` when it has no fixed one.
    pub value: Option<String>,
    /// Where it comes from: `flag`, `environment`, `file` or `default`.
    pub origin: &'static str,
    /// What it is called there.
    pub name: Option<String>,
    #[serde(skip)]
    stand_in: &'static str,
}

impl Shown {
    /// What of `written` may be shown.
    pub fn of(written: &Written) -> Self {
        Self { settings: settings::all().map(|setting| ShownSetting::of(setting, written)).collect() }
    }
}

impl ShownSetting {
    fn of(setting: &Setting, written: &Written) -> Self {
        let entry = written.entry(setting);
        let value = entry.map_or(setting.default_text(), |entry| Some(entry.text.as_str()));
        Self {
            key: setting.names.key,
            value: value.map(|text| redact(setting, text)),
            origin: entry.map_or("default", |entry| entry.source.as_str()),
            name: entry.map(|entry| entry.name.clone()),
            stand_in: match setting.default {
                DefaultValue::Found(description) => description,
                DefaultValue::Fixed(_) | DefaultValue::Nothing => "none",
            },
        }
    }

    fn value_for_people(&self) -> String {
        self.value.clone().unwrap_or_else(|| format!("({})", self.stand_in.replace('`', "")))
    }
}

impl fmt::Display for Shown {
    /// Three columns: key, value, and what its author called it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let keys = self.settings.iter().map(|setting| setting.key.len()).max().unwrap_or_default();
        for setting in &self.settings {
            let origin = setting.name.as_deref().unwrap_or(setting.origin);
            writeln!(f, "{:keys$}  {:30}  {origin}", setting.key, setting.value_for_people())?;
        }
        Ok(())
    }
}
