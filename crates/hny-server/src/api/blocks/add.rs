//! `POST /api/v1/blocks`

use axum::extract::State;
use hny_wire::{BlockView, NewBlock};
use http::StatusCode;

use super::missing;
use crate::answer::{Outcome, json};
use crate::app::App;
use crate::extract::{Json, KeyHolder, Parameters};

/// Blocks a domain or a URL: 201, or 200 where it was blocked before.
pub(crate) async fn add(
    State(app): State<App>,
    KeyHolder(caller): KeyHolder,
    parameters: Parameters,
    Json(NewBlock { rule, .. }): Json<NewBlock>,
) -> Outcome {
    parameters.only([])?;
    let (block, is_new) = app.blocks.add(caller, &rule.ok_or_else(missing)?).await?;
    let status = if is_new { StatusCode::CREATED } else { StatusCode::OK };
    Ok(json(status, &BlockView::new(&block.rule, block.added_at, block.added_by)))
}
