//! `POST /api/v1/links`

use axum::extract::State;
use hny_service::Created;
use hny_wire::NewLink;
use http::StatusCode;

use crate::api::create_limit::within_limit;
use crate::api::{Outcome, created, json};
use crate::app::App;
use crate::extract::{Anyone, FromClient, Json};

/// Makes a link; `Location` is where the API has it.
pub(crate) async fn create(
    State(app): State<App>,
    Anyone(caller): Anyone,
    FromClient(client): FromClient,
    Json(new): Json<NewLink>,
) -> Outcome {
    let wish = app.links.wish(caller, new.input())?;
    let making = async {
        let Created { link, is_new } = app.links.make(&wish).await?;
        if !is_new {
            return Ok(json(StatusCode::OK, &super::view(&app, &link)));
        }
        app.metrics.link_created();
        let location = format!("{}/api/v1/links/{}", app.base.as_str(), link.code);
        Ok(created(&location, &super::view(&app, &link)))
    };
    within_limit(&app, (caller, client), making).await
}
