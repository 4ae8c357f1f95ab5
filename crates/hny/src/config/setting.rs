//! What there is to know about one setting. The settings themselves are in [`super::settings`].

/// A setting by the three names it goes by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Names {
    /// In `hny.toml`, such as `base_url`.
    pub key: &'static str,
    /// In the environment, such as `HNY_BASE_URL`.
    pub env: &'static str,
    /// On the command line, without the dashes, such as `base-url`.
    pub flag: &'static str,
}

/// How a value looks in `hny.toml`. In the environment and on the command line everything is text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A text.
    Text,
    /// A whole number.
    Number,
    /// `true` or `false`.
    Boolean,
    /// Texts, as an array or separated by commas.
    List,
}

/// What holds when nobody says anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DefaultValue {
    /// This value, read as if it had been written.
    Fixed(&'static str),
    /// Something found out at start, described here.
    Found(&'static str),
    /// Nothing: the part is off.
    Nothing,
}

/// What of a value may be shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Secrecy {
    /// All of it.
    Open,
    /// A URL that may have a password in it: all but that. The names are those of the twin that gives a file to read it from.
    Url(Names),
    /// Nothing of it. The names are those of the twin that gives a file to read it from.
    Whole(Names),
}

/// One setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Setting {
    /// What it is called.
    pub names: Names,
    /// What stands for its value in help texts.
    pub value_name: &'static str,
    /// How its value looks in the file.
    pub kind: Kind,
    /// What holds when it is unset.
    pub default: DefaultValue,
    /// What it does, in one line.
    pub doc: &'static str,
    /// What of its value may be shown.
    pub secrecy: Secrecy,
}

impl Setting {
    /// A text setting that is unset by default; the methods below say what is different.
    pub(super) const fn new(
        key: &'static str,
        env: &'static str,
        flag: &'static str,
        value_name: &'static str,
    ) -> Self {
        Self {
            names: Names { key, env, flag },
            value_name,
            kind: Kind::Text,
            default: DefaultValue::Nothing,
            doc: "",
            secrecy: Secrecy::Open,
        }
    }

    pub(super) const fn kind(self, kind: Kind) -> Self {
        Self { kind, ..self }
    }

    pub(super) const fn default(self, value: &'static str) -> Self {
        Self { default: DefaultValue::Fixed(value), ..self }
    }

    pub(super) const fn found(self, description: &'static str) -> Self {
        Self { default: DefaultValue::Found(description), ..self }
    }

    pub(super) const fn doc(self, doc: &'static str) -> Self {
        Self { doc, ..self }
    }

    pub(super) const fn secret(self, secrecy: Secrecy) -> Self {
        Self { secrecy, ..self }
    }

    /// The value that holds when it is unset, where there is a fixed one.
    pub const fn default_text(&self) -> Option<&'static str> {
        match self.default {
            DefaultValue::Fixed(text) => Some(text),
            DefaultValue::Found(_) | DefaultValue::Nothing => None,
        }
    }

    /// The twin that gives a file to read the value from; every secret has one.
    pub const fn twin(&self) -> Option<&Names> {
        match &self.secrecy {
            Secrecy::Open => None,
            Secrecy::Url(twin) | Secrecy::Whole(twin) => Some(twin),
        }
    }

    /// All names it goes by: its own and those of its twin.
    pub fn all_names(&self) -> impl Iterator<Item = &Names> {
        std::iter::once(&self.names).chain(self.twin())
    }
}
