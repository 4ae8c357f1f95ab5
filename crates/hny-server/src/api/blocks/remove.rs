//! `DELETE /api/v1/blocks?rule=`

use axum::extract::State;

use super::{RULE, missing};
use crate::answer::{Outcome, nothing};
use crate::app::App;
use crate::extract::{KeyHolder, Parameters};

/// Blocks a domain or a URL no more. (A rule has slashes and question marks in it, so it is no part of a path.)
pub(crate) async fn remove(State(app): State<App>, KeyHolder(caller): KeyHolder, parameters: Parameters) -> Outcome {
    let [rule] = parameters.only([RULE])?;
    app.blocks.remove(caller, rule.ok_or_else(missing)?).await?;
    Ok(nothing())
}
