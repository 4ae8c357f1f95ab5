//! `GET /api/v1/blocks`

use std::str::FromStr;

use axum::extract::State;
use hny_wire::{BlockPage, BlockView};
use http::StatusCode;

use super::pages::wanted;
use crate::answer::{Outcome, json};
use crate::app::App;
use crate::extract::{KeyHolder, Parameters};

/// A rule, as a page begins behind it.
#[derive(Default)]
struct Cursor(String);

impl FromStr for Cursor {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        // As every rule is written.
        if text.bytes().all(|byte| byte.is_ascii_graphic()) { Ok(Self(text.to_owned())) } else { Err(()) }
    }
}

/// The rules of the database, by their text.
pub(crate) async fn list(State(app): State<App>, KeyHolder(caller): KeyHolder, parameters: Parameters) -> Outcome {
    let (limit, Cursor(after)) = wanted(&parameters)?;
    let page = app.blocks.list(caller, after, limit).await?;
    let items = page.blocks.iter().map(|block| BlockView::new(&block.rule, block.added_at, block.added_by)).collect();
    Ok(json(StatusCode::OK, &BlockPage { items, next: page.next }))
}
