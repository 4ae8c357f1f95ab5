//! What is said of the contract itself, and of health.

use hny_wire::ProblemKind;
use utoipa::openapi::ResponseBuilder;
use utoipa::openapi::content::ContentBuilder;
use utoipa::openapi::path::HttpMethod::Get;
use utoipa::openapi::schema::{Object, Type};

use super::answers;
use super::answers::Schemas;
use super::call::Call;

pub(super) fn calls() -> Vec<Call> {
    let document = ContentBuilder::new().schema(Some(Object::with_type(Type::Object))).build();
    let document = ResponseBuilder::new().description("OpenAPI 3.1.").content("application/json", document).build();
    let text = |about| answers::text(about, &["text/plain; charset=utf-8"]);
    vec![
        Call::plain(Get, "/api/v1/openapi.json", "readContract", "This document")
            .can_fail([ProblemKind::Misdirected])
            .answers_with(200, document, Schemas::new()),
        Call::plain(Get, "/api/docs", "readContractAsPage", "This document as a page")
            .can_fail([ProblemKind::Misdirected])
            .answers_with(200, answers::text("HTML.", &["text/html; charset=utf-8"]), Schemas::new()),
        Call::plain(Get, "/healthz", "isAlive", "Whether the process answers").answers_with(
            200,
            text("It does."),
            Schemas::new(),
        ),
        Call::plain(Get, "/readyz", "isReady", "Whether this node wants visitors")
            .answers_with(200, text("It does."), Schemas::new())
            .answers_with(503, text("Its database is away, or it is about to stop."), Schemas::new()),
    ]
}
