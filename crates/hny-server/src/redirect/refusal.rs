//! Why a form of ours, or a preview, is answered by something else.

use hny_guard::PasswordError;
use hny_service::Error;

use super::{LookUpError, response};
use crate::app::Parts;
use crate::body::Response;
use crate::problem::{self, Failure};

/// What is told instead.
pub(super) enum Refusal {
    /// This answer.
    Answered(Box<Response>),
    /// This problem.
    Problem(Failure),
}

impl Refusal {
    /// That a link was not looked up.
    pub(super) fn of_look_up(app: &Parts, error: LookUpError, wants_html: bool) -> Self {
        match error {
            LookUpError::Failed(error) => error.into(),
            LookUpError::TooMany(refused) => response::too_many(app, refused, wants_html).into(),
        }
    }

    /// The answer.
    pub(super) fn into_response(self, app: &Parts, wants_html: bool) -> Response {
        match self {
            Self::Answered(response) => *response,
            Self::Problem(Failure(problem)) => problem::page_or_document(app, &problem, wants_html),
        }
    }
}

impl From<Response> for Refusal {
    fn from(response: Response) -> Self {
        Self::Answered(Box::new(response))
    }
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Self {
        Self::Problem(failure)
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        Self::Problem(error.into())
    }
}

impl From<PasswordError> for Refusal {
    fn from(error: PasswordError) -> Self {
        Self::Problem(error.into())
    }
}
