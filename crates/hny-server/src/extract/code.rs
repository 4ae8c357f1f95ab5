//! The code in the path of an API call.

use axum::RequestPartsExt;
use axum::extract::{FromRequestParts, Path, Query};
use hny_domain::{Code, FieldError};
use hny_wire::{Problem, ProblemKind};
use http::request::Parts as Head;

use crate::app::App;
use crate::problem::{Failure, of_service};

/// The code in `/api/v1/links/{code}`. What cannot be a code has no link, so it is a 404 without a look.
pub(crate) struct LinkCode(pub(crate) Code);

impl FromRequestParts<App> for LinkCode {
    type Rejection = Failure;

    async fn from_request_parts(head: &mut Head, app: &App) -> Result<Self, Failure> {
        let not_found = || Failure(of_service(&hny_service::Error::LinkNotFound));
        let Path(text) = head.extract::<Path<String>>().await.map_err(|_| not_found())?;
        let Query(query) = head.extract::<Query<Vec<(String, String)>>>().await.map_err(|error| bad_query(&error))?;
        for (name, value) in &query {
            check_parameter(name, value, app)?;
        }
        Code::parse(&text).map(Self).map_err(|_| not_found())
    }
}

/// The one parameter is `domain`, and there is one domain.
fn check_parameter(name: &str, value: &str, app: &App) -> Result<(), Failure> {
    if name != "domain" {
        return Err(invalid(name, "there is no such parameter; the only one is domain"));
    }
    if value.eq_ignore_ascii_case(app.base.domain()) {
        return Ok(());
    }
    Err(invalid(name, &format!("this installation has one domain, {}", app.base.domain())))
}

fn bad_query(error: &impl std::fmt::Display) -> Failure {
    Failure(Problem::new(ProblemKind::InvalidField, format!("the query string cannot be read: {error}")))
}

fn invalid(name: &str, detail: &str) -> Failure {
    Failure(Problem::of_fields(ProblemKind::InvalidField, vec![FieldError::new(name, detail)]))
}
