//! The settings in the environment.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;

use super::problem::Problem;
use super::setting::Setting;
use super::settings;
use super::written::{Layer, Source};

/// The variable that names the file.
pub(super) const CONFIG: &str = "HNY_CONFIG";

const PREFIX: &str = "HNY_";

/// What the environment said.
pub(super) struct Environment {
    pub(super) layer: Layer,
    pub(super) config: Option<PathBuf>,
    pub(super) no_color: bool,
}

/// Reads every variable of ours, and `NO_COLOR`.
pub(super) fn read(variables: Vec<(OsString, OsString)>, problems: &mut Vec<Problem>) -> Environment {
    let in_kubernetes = variables.iter().any(|(name, _)| name == "HNY_SERVICE_HOST");
    let layer = Layer { source: Source::Environment, values: BTreeMap::new() };
    let mut environment = Environment { layer, config: None, no_color: false };
    for (name, value) in variables {
        if value.is_empty() {
            continue;
        }
        match name.to_str() {
            Some(CONFIG) => environment.config = Some(value.into()),
            Some("NO_COLOR") => environment.no_color = true,
            Some(name) if in_kubernetes && is_service_link(name) => {}
            Some(name) if name.starts_with(PREFIX) => environment.set(name, value, problems),
            _ => {}
        }
    }
    environment
}

/// Variables that Kubernetes sets by itself in every pod next to a service called `hny`.
fn is_service_link(name: &str) -> bool {
    name == "HNY_PORT" || name.starts_with("HNY_PORT_") || name.starts_with("HNY_SERVICE_")
}

impl Environment {
    fn set(&mut self, name: &str, value: OsString, problems: &mut Vec<Problem>) {
        let known = || settings::all().flat_map(Setting::all_names);
        let Some(names) = known().find(|names| names.env == name) else {
            let candidates = known().map(|names| names.env).chain([CONFIG]);
            return problems.push(Problem::unknown(name, name, candidates));
        };
        match value.into_string() {
            Ok(text) => _ = self.layer.values.insert(names.key, text),
            Err(_) => problems.push(Problem::new(name, "must be UTF-8 text")),
        }
    }
}
