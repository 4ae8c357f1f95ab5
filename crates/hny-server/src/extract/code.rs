//! The code in the path of an API call.

use axum::RequestPartsExt;
use axum::extract::{FromRequestParts, Path};
use hny_domain::{Code, DomainId};
use http::request::Parts as Head;

use super::Parameters;
use crate::app::App;
use crate::problem::{Failure, of_service};

/// Where the link lives that `/api/v1/links/{code}` names, where the query says nothing but the domain.
pub(crate) struct LinkPlace(pub(crate) DomainId, pub(crate) Code);

/// The code in `/api/v1/links/{code}/…`. What cannot be a code has no link, so it is a 404 without a look.
pub(crate) struct PathCode(pub(crate) Code);

impl FromRequestParts<App> for LinkPlace {
    type Rejection = Failure;

    async fn from_request_parts(head: &mut Head, app: &App) -> Result<Self, Failure> {
        let parameters = Parameters::from_request_parts(head, app).await?;
        parameters.only([])?;
        let PathCode(code) = PathCode::from_request_parts(head, app).await?;
        Ok(Self(parameters.domain(), code))
    }
}

impl FromRequestParts<App> for PathCode {
    type Rejection = Failure;

    async fn from_request_parts(head: &mut Head, _: &App) -> Result<Self, Failure> {
        let not_found = || Failure(of_service(&hny_service::Error::LinkNotFound));
        let Path(text) = head.extract::<Path<String>>().await.map_err(|_| not_found())?;
        Code::parse(&text).map(Self).map_err(|_| not_found())
    }
}
