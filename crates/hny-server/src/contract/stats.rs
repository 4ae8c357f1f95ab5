//! What is said of statistics.

use hny_wire::{ClickPage, Stats};
use utoipa::openapi::content::ContentBuilder;
use utoipa::openapi::path::HttpMethod::Get;
use utoipa::openapi::schema::{Object, Type};

use super::call::Call;
use super::{answers, parameters};
use crate::api::links::clicks::{MOST, USUAL};

pub(super) fn calls() -> Vec<Call> {
    vec![
        Call::new(Get, "/api/v1/links/{code}/stats", "readLinkStats", "How often a link was followed")
            .needs_key()
            .of_link()
            .query(parameters::question())
            .answers::<Stats>(200, "The answer.", &[]),
        Call::new(Get, "/api/v1/links/{code}/clicks", "listClicks", "Every visit of a link")
            .about("`limit` and `cursor` are for pages, which are JSON; CSV and JSON lines are everything, streamed.")
            .needs_key()
            .of_link()
            .query(
                [parameters::span(), parameters::page(MOST, USUAL)].concat().into_iter().chain([parameters::format()]),
            )
            .answers_in_lines(),
        Call::new(Get, "/api/v1/stats", "readStats", "How often all links were followed")
            .about("All links that the key made; for an admin, all there are.")
            .needs_key()
            .query(parameters::question())
            .answers::<Stats>(200, "The answer.", &[]),
    ]
}

impl Call {
    /// Clicks in a page, or in lines.
    fn answers_in_lines(self) -> Self {
        let (schemas, mut response) = answers::of::<ClickPage<'_>>("The visits, by time.", &[]);
        for media_type in ["text/csv", "application/jsonl"] {
            let text = ContentBuilder::new().schema(Some(Object::with_type(Type::String))).build();
            response.content.insert(media_type.to_owned(), text.into());
        }
        self.answers_with(200, response, schemas)
    }
}
