//! A call on the page.

use utoipa::openapi::path::Operation;
use utoipa::openapi::request_body::RequestBody;
use utoipa::openapi::{Content, PathItem, RefOr, Response};

use super::field::{Field, shape};
use super::prose::Prose;
use crate::contract::kinds_of;

/// A call.
#[derive(Debug, Clone)]
pub(super) struct CallView<'a> {
    pub(super) group: &'a str,
    pub(super) id: &'a str,
    pub(super) method: &'static str,
    pub(super) path: &'a str,
    pub(super) summary: &'a str,
    pub(super) about: Prose<'a>,
    /// Whether a key must be sent, or may be.
    pub(super) key: &'static str,
    pub(super) parameters: Vec<Field<'a>>,
    /// The shape of the body.
    pub(super) takes: &'a str,
    pub(super) answers: Vec<Answer<'a>>,
    pub(super) problems: Vec<Problems<'a>>,
}

/// An answer to a call that went well.
#[derive(Debug, Clone)]
pub(super) struct Answer<'a> {
    pub(super) status: &'a str,
    pub(super) about: Prose<'a>,
    pub(super) shape: &'a str,
}

/// The problems with one status.
#[derive(Debug, Clone)]
pub(super) struct Problems<'a> {
    pub(super) status: &'a str,
    pub(super) names: Vec<&'a str>,
}

impl<'a> CallView<'a> {
    /// The calls of a path.
    pub(super) fn all_of(path: &'a str, item: &'a PathItem) -> Vec<Self> {
        let methods = [
            ("GET", &item.get),
            ("POST", &item.post),
            ("PUT", &item.put),
            ("PATCH", &item.patch),
            ("DELETE", &item.delete),
        ];
        let calls = methods.into_iter().filter_map(|(method, call)| Some((method, call.as_ref()?)));
        calls.map(|(method, call)| Self::of(path, method, call)).collect()
    }

    fn of(path: &'a str, method: &'static str, call: &'a Operation) -> Self {
        let responses =
            || call.responses.responses.iter().filter_map(|(status, response)| Some((status, whole(response)?)));
        let parameters = call.parameters.iter().flatten();
        let parameters = parameters.filter_map(|parameter| Field::of_parameter(whole(parameter)?));
        Self {
            group: call.tags.iter().flatten().next().map_or("", String::as_str),
            id: call.operation_id.as_deref().unwrap_or_default(),
            method,
            path,
            summary: call.summary.as_deref().unwrap_or_default(),
            about: Prose::of(call.description.as_ref()),
            key: key(call),
            parameters: parameters.collect(),
            takes: call.request_body.as_ref().and_then(whole).map_or("", body_shape),
            answers: responses().filter_map(|(status, response)| Answer::of(status, response)).collect(),
            problems: responses().filter_map(|(status, response)| Problems::of(status, response)).collect(),
        }
    }
}

impl<'a> Answer<'a> {
    fn of(status: &'a str, response: &'a Response) -> Option<Self> {
        let shape = response.content.values().next().map_or("", content_shape);
        let is_problem = !kinds_of(response).is_empty();
        (!is_problem).then_some(Self { status, about: Prose(&response.description), shape })
    }
}

impl<'a> Problems<'a> {
    fn of(status: &'a str, response: &'a Response) -> Option<Self> {
        let names = kinds_of(response);
        (!names.is_empty()).then_some(Self { status, names })
    }
}

/// Nothing in our document is told by reference but shapes.
const fn whole<T>(value: &RefOr<T>) -> Option<&T> {
    match value {
        RefOr::T(value) => Some(value),
        RefOr::Ref(_) => None,
    }
}

fn body_shape(body: &RequestBody) -> &str {
    body.content.values().next().map_or("", content_shape)
}

fn content_shape(content: &RefOr<Content>) -> &str {
    whole(content).and_then(|content| content.schema.as_ref()).map_or("", shape)
}

fn key(call: &Operation) -> &'static str {
    match &call.security {
        None => "needs no key",
        Some(ways) if ways.contains(&utoipa::openapi::SecurityRequirement::default()) => "with or without a key",
        Some(_) => "needs a key",
    }
}
