//! `POST /api/v1/links`

use axum::extract::State;
use hny_wire::NewLink;

use crate::api::{Outcome, created};
use crate::app::App;
use crate::extract::{Anyone, Json};

/// Makes a link; `Location` is where the API has it.
pub(crate) async fn create(State(app): State<App>, Anyone(caller): Anyone, Json(new): Json<NewLink>) -> Outcome {
    let link = app.links.create(caller, new.input()).await?;
    app.metrics.link_created();
    let location = format!("{}/api/v1/links/{}", app.base.as_str(), link.code);
    Ok(created(&location, &super::view(&app, &link)))
}
