//! What a visitor says of a link that does harm.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::field::Problems;
use crate::{Code, DomainId, FieldError, KeyId, LinkId, Timestamp};

/// The longest detail, in characters.
const MAX_DETAIL: usize = 500;

/// The number of a report in the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AbuseId(pub i64);

/// What is wrong with where a link leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AbuseReason {
    /// It pretends to be somebody else, to get at passwords or money.
    Phishing,
    /// It harms the visitor's machine.
    Malware,
    /// It was sent to people who did not want it.
    Spam,
    /// The law forbids it.
    Illegal,
    /// Something else.
    Other,
}

/// The word is no reason.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the reason is one of phishing, malware, spam, illegal and other")]
pub struct AbuseReasonError;

/// What a visitor sent, unchecked.
#[derive(Debug, Clone, Copy, Default)]
pub struct AbuseInput<'a> {
    /// `reason`, required.
    pub reason: Option<&'a str>,
    /// `detail`.
    pub detail: Option<&'a str>,
}

/// A report that may be kept. It says nothing of who made it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Abuse {
    /// What is wrong.
    pub reason: AbuseReason,
    /// More about it.
    pub detail: Option<String>,
}

/// A report as the database has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AbuseReport {
    /// Its number. A later report has a higher one.
    pub id: AbuseId,
    /// Which link it is about, also when that is gone.
    pub link: LinkId,
    /// The domain that the link had.
    pub domain: DomainId,
    /// The code that the link had.
    pub code: Code,
    /// What is wrong.
    pub abuse: Abuse,
    /// What the client is called that sent it. It had that name on one day; the key to it is gone soon after.
    pub reporter: String,
    /// When it came.
    pub reported_at: Timestamp,
    /// When somebody had dealt with it; `None` while it is open.
    pub resolved_at: Option<Timestamp>,
    /// The key of whoever had; `None` is the operator.
    pub resolved_by: Option<KeyId>,
}

impl AbuseReason {
    /// All of them, in the order in which they are offered.
    pub const ALL: [Self; 5] = [Self::Phishing, Self::Malware, Self::Spam, Self::Illegal, Self::Other];

    /// The word for it, in tables and on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Phishing => "phishing",
            Self::Malware => "malware",
            Self::Spam => "spam",
            Self::Illegal => "illegal",
            Self::Other => "other",
        }
    }
}

impl FromStr for AbuseReason {
    type Err = AbuseReasonError;

    fn from_str(text: &str) -> Result<Self, AbuseReasonError> {
        Self::ALL.into_iter().find(|reason| reason.as_str() == text).ok_or(AbuseReasonError)
    }
}

impl fmt::Display for AbuseReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl AbuseInput<'_> {
    /// Checks every field; what is wrong comes back all at once.
    pub fn check(self) -> Result<Abuse, Vec<FieldError>> {
        let mut problems = Problems::default();
        let reason = problems.take("reason", self.reason.unwrap_or_default().parse());
        let detail = problems.take("detail", check_detail(self.detail.unwrap_or_default()));
        problems.finish(reason.zip(detail).map(|(reason, detail)| Abuse { reason, detail }))
    }
}

/// A form sends lines with CR LF, and a field that was left empty.
fn check_detail(text: &str) -> Result<Option<String>, &'static str> {
    let text = text.replace("\r\n", "\n");
    let text = text.trim();
    if text.chars().count() > MAX_DETAIL {
        return Err("it has at most 500 characters");
    }
    if text.chars().any(|character| character.is_control() && character != '\n') {
        return Err("it has no control characters");
    }
    Ok(Some(text.to_owned()).filter(|text| !text.is_empty()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(reason: Option<&str>, detail: Option<&str>) -> Result<Abuse, Vec<String>> {
        let fields = |errors: Vec<FieldError>| errors.into_iter().map(|error| error.field).collect();
        AbuseInput { reason, detail }.check().map_err(fields)
    }

    #[test]
    fn a_reason_is_enough() {
        for reason in AbuseReason::ALL {
            let abuse = Abuse { reason, detail: None };
            assert_eq!(check(Some(reason.as_str()), None), Ok(abuse.clone()));
            assert_eq!(check(Some(reason.as_str()), Some(" \r\n ")), Ok(abuse));
        }
    }

    #[test]
    fn a_detail_has_lines() {
        let abuse = check(Some("other"), Some("one\r\ntwo ")).unwrap();
        assert_eq!(abuse.detail.as_deref(), Some("one\ntwo"));
        assert!(check(Some("other"), Some(&"ü".repeat(500))).is_ok());
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (reason, detail, fields) in [
            (None, None, vec!["reason"]),
            (Some(""), None, vec!["reason"]),
            (Some("Phishing"), None, vec!["reason"]),
            (Some("spam"), Some("a\0b"), vec!["detail"]),
            (Some("spam"), Some("\u{1b}[31mred"), vec!["detail"]),
            (Some("hate"), Some(&*"x".repeat(501)), vec!["reason", "detail"]),
        ] {
            assert_eq!(check(reason, detail).unwrap_err(), fields, "{reason:?}");
        }
    }
}
