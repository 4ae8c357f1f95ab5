//! From texts to values: what a section of [`super::Config`] reads its settings with.

use std::fmt;

use super::base_url::BaseUrlError;
use super::problem::Problem;
use super::setting::{Secrecy, Setting};
use super::settings;
use super::value::ValueError;
use super::written::Written;

/// Reads values and gathers what is wrong with them.
pub(super) struct Reader<'a> {
    written: &'a Written,
    pub(super) problems: Vec<Problem>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(written: &'a Written) -> Self {
        Self { written, problems: written.problems.clone() }
    }

    /// A setting that always has a value: what was written, else the default. `None` when that was bad, which is noted.
    pub(super) fn required<T>(&mut self, key: &str, parse: impl FnOnce(&str) -> Result<T, ValueError>) -> Option<T> {
        let setting = settings::of_key(key);
        let text = self.written.text(setting).or(setting.default_text()).unwrap_or_default();
        parse(text).map_err(|error| self.refuse(key, error)).ok()
    }

    /// What was written, else the default, unread.
    pub(super) fn text(&self, key: &str) -> Option<&'a str> {
        let setting = settings::of_key(key);
        self.written.text(setting).or(setting.default_text())
    }

    /// A setting without a fixed default: what was written, else `unset`. `None` when it was bad, which is noted.
    pub(super) fn or<T>(
        &mut self,
        key: &str,
        unset: T,
        parse: impl FnOnce(&str) -> Result<T, ValueError>,
    ) -> Option<T> {
        match self.written.text(settings::of_key(key)) {
            None => Some(unset),
            Some(text) => parse(text).map_err(|error| self.refuse(key, error)).ok(),
        }
    }

    /// Notes that the value of a setting is wrong.
    pub(super) fn refuse(&mut self, key: &str, error: ValueError) {
        let setting = settings::of_key(key);
        let name = self.written.name(setting);
        let problem = match self.value_to_quote(setting, &error) {
            Some(text) => Problem::new(name, format_args!("{error}; it is {text:?}")),
            None => Problem::new(name, error),
        };
        self.problems.push(problem);
    }

    fn value_to_quote(&self, setting: &Setting, error: &ValueError) -> Option<&'a str> {
        // A URL with a user name before its host may have a password there, too.
        let hides_something = matches!(error, ValueError::BaseUrl(BaseUrlError::UserInfo));
        let may_be_quoted = setting.secrecy == Secrecy::Open && !hides_something;
        self.written.text(setting).filter(|_| may_be_quoted)
    }

    pub(super) fn no_color(&self) -> bool {
        self.written.no_color
    }
}

impl fmt::Debug for Reader<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // What was written may be secret.
        f.debug_struct("Reader").field("problems", &self.problems).finish_non_exhaustive()
    }
}
