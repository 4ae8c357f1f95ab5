//! `/api/v1/blocks`: where links may not lead.

pub(crate) mod add;
pub(crate) mod changes;
pub(crate) mod list;
pub(crate) mod pages;
pub(crate) mod remove;

use hny_domain::FieldError;
use hny_guard::BlockError;
use hny_service::Error;
use hny_wire::{Problem, ProblemKind};

use crate::extract::invalid;
use crate::problem::Failure;

/// The field, or the parameter, that a rule comes in.
const RULE: &str = "rule";

impl From<BlockError> for Failure {
    fn from(error: BlockError) -> Self {
        match error {
            BlockError::NotAllowed => Error::NotAllowed.into(),
            BlockError::Rule(error) => invalid(vec![FieldError::new(RULE, error)]),
            BlockError::NotFound => Self(Problem::new(ProblemKind::NotFound, "there is no such rule")),
            BlockError::Store(error) => Error::Store(error).into(),
        }
    }
}

/// The rule is not there.
fn missing() -> Failure {
    invalid(vec![FieldError::new(RULE, "it is required: a domain such as evil.example, or a URL")])
}
