//! One call: what it takes, and what it answers.

use hny_wire::ProblemKind;
use hny_wire::read::Shape;
use utoipa::ToSchema;
use utoipa::openapi::content::ContentBuilder;
use utoipa::openapi::path::{HttpMethod, Operation, OperationBuilder, Parameter};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::schema::{AdditionalProperties, Schema};
use utoipa::openapi::security::SecurityRequirement;
use utoipa::openapi::{Ref, RefOr, Required, Response};

use super::answers::Schemas;
use super::{SCHEMES, answers, parameters, problems};

/// A call of the API.
pub(super) struct Call {
    path: &'static str,
    method: HttpMethod,
    operation: OperationBuilder,
    problems: Vec<ProblemKind>,
    schemas: Schemas,
}

impl Call {
    /// A call that asks the database.
    pub(super) fn new(method: HttpMethod, path: &'static str, id: &str, summary: &str) -> Self {
        Self::plain(method, path, id, summary).can_fail([
            ProblemKind::Misdirected,
            ProblemKind::Internal,
            ProblemKind::Unavailable,
        ])
    }

    /// A call that every node answers by itself.
    pub(super) fn plain(method: HttpMethod, path: &'static str, id: &str, summary: &str) -> Self {
        let operation = OperationBuilder::new().operation_id(Some(id)).summary(Some(summary));
        Self { path, method, operation, problems: Vec::new(), schemas: Schemas::new() }
    }

    /// More on it.
    pub(super) fn about(mut self, text: &str) -> Self {
        self.operation = self.operation.description(Some(text));
        self
    }

    /// It takes an API key, but needs none.
    pub(super) fn with_or_without_key(mut self) -> Self {
        self.operation = self.operation.security(SecurityRequirement::default());
        self.needs_key()
    }

    /// It needs an API key.
    pub(super) fn needs_key(mut self) -> Self {
        for scheme in SCHEMES {
            self.operation = self.operation.security(SecurityRequirement::new(scheme, [""; 0]));
        }
        self.can_fail([ProblemKind::KeyNeeded])
    }

    /// It is about the link whose code is in the path.
    pub(super) fn of_link(self) -> Self {
        self.of(parameters::code(), ProblemKind::LinkNotFound)
    }

    /// It is about what the path names; if there is no such thing, it is this problem.
    pub(super) fn of(mut self, name: Parameter, absent: ProblemKind) -> Self {
        self.operation = self.operation.parameter(name);
        self.can_fail([absent])
    }

    /// It can be meant for one state of a thing.
    pub(super) fn if_match(mut self) -> Self {
        self.operation = self.operation.parameter(parameters::if_match());
        self.can_fail([ProblemKind::Outdated])
    }

    /// It may be sent again under the same `Idempotency-Key`.
    pub(super) fn once(mut self) -> Self {
        self.operation = self.operation.parameter(parameters::idempotency_key());
        self.can_fail([ProblemKind::StillRunning, ProblemKind::OtherRequest])
    }

    /// What its query may say, beside a domain.
    pub(super) fn query(mut self, parameters: impl IntoIterator<Item = Parameter>) -> Self {
        for parameter in parameters.into_iter().chain([parameters::domain()]) {
            self.operation = self.operation.parameter(parameter);
        }
        self.can_fail([ProblemKind::InvalidField])
    }

    /// The body it takes; whatever the shape does not have is refused.
    pub(super) fn takes<T: Shape + ToSchema>(mut self, media_types: &[&str]) -> Self {
        let mut schemas = vec![(T::name().into_owned(), T::schema())];
        T::schemas(&mut schemas);
        for (_, schema) in &mut schemas {
            if let RefOr::T(Schema::Object(object)) = schema {
                object.additional_properties = Some(Box::new(AdditionalProperties::FreeForm(false)));
            }
        }
        self.schemas.extend(schemas);
        let mut body = RequestBodyBuilder::new().required(Some(Required::True));
        for media_type in media_types {
            let content = ContentBuilder::new().schema(Some(Ref::from_schema_name(T::name()))).build();
            body = body.content(*media_type, content);
        }
        self.operation = self.operation.request_body(Some(body.build()));
        self.can_fail(problems::OF_BODIES)
    }

    /// An answer with a shape.
    pub(super) fn answers<T: ToSchema>(self, status: u16, about: &str, headers: &[&str]) -> Self {
        let (schemas, response) = answers::of::<T>(about, headers);
        self.answers_with(status, response, schemas)
    }

    /// An answer of another kind.
    pub(super) fn answers_with(mut self, status: u16, response: Response, schemas: Schemas) -> Self {
        self.operation = self.operation.response(status.to_string(), response);
        self.schemas.extend(schemas);
        self
    }

    /// Problems that it can answer.
    pub(super) fn can_fail(mut self, kinds: impl IntoIterator<Item = ProblemKind>) -> Self {
        self.problems.extend(kinds);
        self
    }

    /// The operation; its schemas are put to the others.
    pub(super) fn finish(self, group: &str, schemas: &mut Schemas) -> (&'static str, HttpMethod, Operation) {
        schemas.extend(self.schemas);
        let mut operation = self.operation.tag(group);
        for (status, response) in problems::responses(&self.problems) {
            operation = operation.response(status.to_string(), response);
        }
        (self.path, self.method, operation.build())
    }
}
