//! The query of an API call.

use std::sync::Arc;

use axum::RequestPartsExt;
use axum::extract::{FromRequestParts, Query};
use hny_domain::draft::check_domain;
use hny_domain::{DomainId, Domains, FieldError, Problems};
use hny_wire::{Problem, ProblemKind};
use http::request::Parts as Head;

use crate::app::App;
use crate::problem::Failure;

/// The parameters of a query, as they were sent.
pub(crate) struct Parameters {
    sent: Vec<(String, String)>,
    domains: Arc<Domains>,
}

/// The one that may stand beside those of a call.
const DOMAIN: &str = "domain";

impl FromRequestParts<App> for Parameters {
    type Rejection = Failure;

    async fn from_request_parts(head: &mut Head, app: &App) -> Result<Self, Failure> {
        let Query(sent) = head.extract::<Query<_>>().await.map_err(|error| bad_query(&error))?;
        Ok(Self { sent, domains: Arc::clone(&app.domains) })
    }
}

impl Parameters {
    /// The domain that is named, unless it is none; [`Self::only`] tells then. Unless one is named it is that of the base URL.
    pub(crate) fn domain(&self) -> DomainId {
        self.named_domain().unwrap_or(DomainId::BASE)
    }

    /// The domain that is named, if one is; as [`Self::domain`].
    pub(crate) fn named_domain(&self) -> Option<DomainId> {
        let (_, domain) = self.sent.iter().find(|(name, _)| name == DOMAIN)?;
        self.domains.named(domain)
    }

    /// Its name.
    pub(crate) fn domain_name(&self) -> Option<String> {
        self.named_domain().map(|domain| self.domains.name_of(domain))
    }

    /// The values of these parameters, if there are no others, and none is sent twice. The domain may be named beside them.
    pub(crate) fn only<const N: usize>(&self, names: [&str; N]) -> Result<[Option<&str>; N], Failure> {
        let mut problems = Problems::default();
        let mut values = [None; N];
        let mut domain = None;
        for (name, value) in &self.sent {
            let place = match names.iter().position(|known| known == name) {
                Some(place) => &mut values[place],
                None if name == DOMAIN => &mut domain,
                None => {
                    problems.note(name, unknown(&names));
                    continue;
                }
            };
            if place.replace(value.as_str()).is_some() {
                problems.note(name, "it is given twice; give it once");
            }
        }
        domain.and_then(|domain| problems.take(DOMAIN, check_domain(domain, &self.domains)));
        problems.finish(Some(values)).map_err(invalid)
    }
}

/// Parameters are wrong.
pub(crate) fn invalid(fields: Vec<FieldError>) -> Failure {
    Failure(Problem::of_fields(ProblemKind::InvalidField, fields))
}

fn unknown(names: &[&str]) -> String {
    if names.is_empty() {
        return format!("there is no such parameter; the only one is {DOMAIN}");
    }
    let names: Vec<_> = names.iter().copied().filter(|name| *name != DOMAIN).collect();
    format!("there is no such parameter; there are {} and {DOMAIN}", names.join(", "))
}

fn bad_query(error: &impl std::fmt::Display) -> Failure {
    Failure(Problem::new(ProblemKind::InvalidField, format!("the query string cannot be read: {error}")))
}
