//! `GET /api/v1/blocks/changes`

use axum::extract::State;
use hny_wire::{BlockChangePage, BlockChangeView};
use http::StatusCode;

use super::pages::wanted;
use crate::answer::{Outcome, json};
use crate::app::App;
use crate::extract::{KeyHolder, Parameters};

/// Who blocked and unblocked what, and when; the oldest first.
pub(crate) async fn changes(State(app): State<App>, KeyHolder(caller): KeyHolder, parameters: Parameters) -> Outcome {
    let (limit, after) = wanted::<u64>(&parameters)?;
    let page = app.blocks.changes(caller, after, limit).await?;
    let items = page
        .changes
        .iter()
        .map(|change| BlockChangeView::new(change.version.0, &change.rule, change.is_addition, (change.at, change.by)));
    Ok(json(
        StatusCode::OK,
        &BlockChangePage { items: items.collect(), next: page.next.map(|next| next.0.to_string()) },
    ))
}
