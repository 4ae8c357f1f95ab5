//! What we say when something is wrong: problem documents (RFC 9457).

use hny_domain::FieldError;
use serde::Serialize;
use utoipa::ToSchema;

/// Every kind of problem there is. `docs/problems.md` says of each what to do about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProblemKind {
    /// Fields are wrong or unknown.
    InvalidField,
    /// A provider suspects the page that the link shall lead to.
    TargetSuspected,
    /// The body is not JSON.
    MalformedBody,
    /// No key, or one that is not valid.
    KeyNeeded,
    /// The key may not do this.
    NotAllowed,
    /// Another site sent our form.
    ForeignForm,
    /// Nobody is sent on by this link.
    LinkBlocked,
    /// There is no such page or API.
    NotFound,
    /// There is no such link, or it is not the caller's.
    LinkNotFound,
    /// There is no such API key, or it is not the caller's to see.
    KeyNotFound,
    /// There is no such report of abuse.
    ReportNotFound,
    /// The method does not exist here.
    MethodNotAllowed,
    /// The body did not arrive in time.
    BodyTimeout,
    /// The link has no password that a token could stand for.
    NoPassword,
    /// Somebody has this code.
    CodeTaken,
    /// Nobody could do everything any more without this key.
    LastAdminKey,
    /// The same request is running.
    StillRunning,
    /// The link's time is over.
    LinkGone,
    /// The link is another than was expected.
    Outdated,
    /// The body is too large.
    BodyTooLarge,
    /// The body is not of a media type we read.
    UnsupportedMediaType,
    /// Another node answers this.
    Misdirected,
    /// The key of the request came with another one.
    OtherRequest,
    /// The client has reached a limit.
    TooManyRequests,
    /// Our fault.
    Internal,
    /// A part we need is away for now.
    Unavailable,
}

/// Each kind has a section here.
const DOCUMENTATION: &str = include_str!("../../../docs/problems.md");

/// All kinds, for tests and documentation.
pub const KINDS: [ProblemKind; 26] = [
    ProblemKind::InvalidField,
    ProblemKind::TargetSuspected,
    ProblemKind::MalformedBody,
    ProblemKind::KeyNeeded,
    ProblemKind::NotAllowed,
    ProblemKind::ForeignForm,
    ProblemKind::LinkBlocked,
    ProblemKind::NotFound,
    ProblemKind::LinkNotFound,
    ProblemKind::KeyNotFound,
    ProblemKind::ReportNotFound,
    ProblemKind::MethodNotAllowed,
    ProblemKind::BodyTimeout,
    ProblemKind::NoPassword,
    ProblemKind::CodeTaken,
    ProblemKind::LastAdminKey,
    ProblemKind::StillRunning,
    ProblemKind::LinkGone,
    ProblemKind::Outdated,
    ProblemKind::BodyTooLarge,
    ProblemKind::UnsupportedMediaType,
    ProblemKind::Misdirected,
    ProblemKind::OtherRequest,
    ProblemKind::TooManyRequests,
    ProblemKind::Internal,
    ProblemKind::Unavailable,
];

impl ProblemKind {
    /// Name, status and title, in one table.
    const fn row(self) -> (&'static str, u16, &'static str) {
        match self {
            Self::InvalidField => ("invalid-field", 400, "A field is not right"),
            Self::TargetSuspected => ("target-suspected", 400, "The page is suspected of harm"),
            Self::MalformedBody => ("malformed-body", 400, "The body is not a JSON object"),
            Self::KeyNeeded => ("key-needed", 401, "A valid API key is needed"),
            Self::NotAllowed => ("not-allowed", 403, "This key may not do that"),
            Self::ForeignForm => ("foreign-form", 403, "This form came from another site"),
            Self::LinkBlocked => ("link-blocked", 403, "This link is blocked"),
            Self::NotFound => ("not-found", 404, "There is nothing here"),
            Self::LinkNotFound => ("link-not-found", 404, "There is no such link"),
            Self::KeyNotFound => ("key-not-found", 404, "There is no such API key"),
            Self::ReportNotFound => ("report-not-found", 404, "There is no such report"),
            Self::LinkGone => ("link-gone", 410, "This link has expired"),
            Self::MethodNotAllowed => ("method-not-allowed", 405, "This method does not exist here"),
            Self::BodyTimeout => ("body-timeout", 408, "The body took too long"),
            Self::NoPassword => ("no-password", 409, "This link has no password"),
            Self::CodeTaken => ("code-taken", 409, "This code is taken"),
            Self::LastAdminKey => ("last-admin-key", 409, "This is the last key that may do everything"),
            Self::StillRunning => ("still-running", 409, "The same request is running"),
            Self::Outdated => ("outdated", 412, "The link has changed"),
            Self::BodyTooLarge => ("body-too-large", 413, "The body is too large"),
            Self::UnsupportedMediaType => ("unsupported-media-type", 415, "The body is of a kind we do not read"),
            Self::Misdirected => ("misdirected", 421, "This node does not answer here"),
            Self::OtherRequest => ("other-request", 422, "This key belongs to another request"),
            Self::TooManyRequests => ("too-many-requests", 429, "Too many requests"),
            Self::Internal => ("internal", 500, "Something went wrong on our side"),
            Self::Unavailable => ("unavailable", 503, "Not possible at the moment"),
        }
    }

    /// The short name, the last part of the type.
    pub const fn name(self) -> &'static str {
        self.row().0
    }

    /// The type: `urn:hny:problem:code-taken`.
    pub fn uri(self) -> String {
        format!("urn:hny:problem:{}", self.name())
    }

    /// What to do about it, as `docs/problems.md` has it.
    pub fn advice(self) -> &'static str {
        let heading = format!("## {} ({})", self.name(), self.status());
        let section = DOCUMENTATION.split_once(&heading).map_or("", |(_, rest)| rest);
        section.split_once("\n## ").map_or(section, |(section, _)| section).trim()
    }

    /// The HTTP status.
    pub const fn status(self) -> u16 {
        self.row().1
    }

    /// The title, the same for every problem of this kind.
    pub const fn title(self) -> &'static str {
        self.row().2
    }
}

/// A problem document.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Problem {
    /// A stable name of the kind: `urn:hny:problem:code-taken`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The kind in words.
    pub title: &'static str,
    /// The HTTP status.
    pub status: u16,
    /// This very case in words, and what would be right.
    pub detail: String,
    /// The fields that are wrong.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub errors: Vec<FieldProblem>,
}

/// A field that is wrong.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct FieldProblem {
    /// Where it stands in the body, as a JSON pointer: `#/originalUrl`.
    pub pointer: String,
    /// What would be right.
    pub detail: String,
}

impl Problem {
    /// A problem that is not about a field.
    pub fn new(kind: ProblemKind, detail: impl Into<String>) -> Self {
        Self { kind: kind.uri(), title: kind.title(), status: kind.status(), detail: detail.into(), errors: Vec::new() }
    }

    /// A problem of fields; `detail` repeats the first, for those who show one line.
    pub fn of_fields(kind: ProblemKind, fields: Vec<FieldError>) -> Self {
        let detail = fields.first().map(ToString::to_string).unwrap_or_default();
        let errors = fields.into_iter().map(FieldProblem::from).collect();
        Self { errors, ..Self::new(kind, detail) }
    }

    /// The same problem of one row among many: its fields stand in the list `name`, at `number`.
    #[must_use]
    pub fn in_row(self, name: &str, number: usize) -> Self {
        let in_row = |FieldProblem { pointer, detail }: FieldProblem| {
            let inner = pointer.trim_start_matches("#/");
            FieldProblem { pointer: format!("#/{name}/{number}/{inner}"), detail }
        };
        Self { errors: self.errors.into_iter().map(in_row).collect(), ..self }
    }

    /// The document.
    pub fn to_json(&self) -> Vec<u8> {
        // Strings and numbers only: there is nothing in it that could fail to become JSON.
        serde_json::to_vec(self).unwrap_or_default()
    }
}

impl From<FieldError> for FieldProblem {
    fn from(error: FieldError) -> Self {
        Self { pointer: pointer(&error.field), detail: error.detail }
    }
}

/// A field as a JSON pointer in a fragment (RFC 6901), whatever the caller called its fields: `tags[1]` is `#/tags/1`.
fn pointer(field: &str) -> String {
    let escaped = |name: &str| name.replace('~', "~0").replace('/', "~1");
    let place = field.strip_suffix(']').and_then(|field| field.rsplit_once('['));
    match place.filter(|(_, number)| !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit())) {
        Some((name, number)) => format!("#/{}/{number}", escaped(name)),
        None => format!("#/{}", escaped(field)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kinds() {
        let table: Vec<_> =
            KINDS.iter().map(|kind| format!("{} {} {}", kind.status(), kind.name(), kind.title())).collect();
        insta::assert_snapshot!(table.join("\n"));
    }

    #[test]
    fn a_document() {
        let fields = vec![
            FieldError::new("originalUrl", "it is required"),
            FieldError::new("a/b~c", "no such field"),
            FieldError::new("tags[1]", "it is empty"),
        ];
        insta::assert_json_snapshot!(Problem::of_fields(ProblemKind::InvalidField, fields));
    }

    #[test]
    fn the_documentation_has_every_kind_and_nothing_else() {
        let headings: Vec<_> = DOCUMENTATION.lines().filter_map(|line| line.strip_prefix("## ")).collect();
        let kinds = KINDS.map(|kind| format!("{} ({})", kind.name(), kind.status()));
        assert_eq!(headings, kinds, "the sections of docs/problems.md");
        assert!(KINDS.iter().all(|kind| !kind.advice().is_empty()));
    }
}
