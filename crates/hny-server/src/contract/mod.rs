//! The contract: an OpenAPI document (3.1) of what the API takes and answers. Shapes come from `hny-wire`, limits from where they are
//! checked; a test asks the program itself whether the document has all of its paths and methods, parameters and fields.

mod answers;
mod blocks;
mod call;
mod keys;
mod links;
mod parameters;
mod problems;
mod reports;
mod service;
mod stats;

use hny_domain::Domains;
use hny_wire::facets;
use serde_json::{Value, json};
use utoipa::openapi::path::PathsBuilder;
use utoipa::openapi::security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::tag::TagBuilder;
use utoipa::openapi::{
    ComponentsBuilder, InfoBuilder, LicenseBuilder, OpenApi, OpenApiBuilder, PathItem, RefOr, Schema, ServerBuilder,
};

use answers::Schemas;
use call::Call;

pub(crate) use problems::kinds_of;

/// What the document begins with.
const ABOUT: &str = "Short links: make them, change them, see how often they are followed. JSON in camelCase; unset is `null`, 64-bit \
    ids are strings, times are RFC 3339 in UTC. `HEAD` is answered wherever `GET` is. Every error is a problem document (RFC 9457), and its \
    `type` does not change from version to version.";

/// The names of the two ways to send an API key.
const SCHEMES: [&str; 2] = ["bearer", "header"];

/// What a body is.
const JSON: &[&str] = &["application/json"];

/// Calls that belong together.
struct Group {
    name: &'static str,
    about: &'static str,
    calls: fn() -> Vec<Call>,
}

const GROUPS: [Group; 6] = [
    Group { name: "Links", about: "Make, read, change and delete links.", calls: links::calls },
    Group { name: "Statistics", about: "How often links were followed, and by whom.", calls: stats::calls },
    Group { name: "Keys", about: "Who may do what.", calls: keys::calls },
    Group { name: "Blocks", about: "Where links may not lead.", calls: blocks::calls },
    Group { name: "Reports", about: "What visitors say of links that do harm.", calls: reports::calls },
    Group { name: "Service", about: "The contract itself, and whether the service is well.", calls: service::calls },
];

/// The document of a service with these domains.
pub(crate) fn document(domains: &Domains) -> OpenApi {
    let names: Vec<_> = domains.all().map(|(id, _)| json!(domains.name_of(id))).collect();
    let mut paths = PathsBuilder::new();
    let mut schemas = answers::always();
    for Group { name, calls, .. } in GROUPS {
        for call in calls() {
            let (path, method, mut operation) = call.finish(name, &mut schemas);
            for parameter in operation.parameters.iter_mut().flatten() {
                parameters::name_domains(parameter, &names);
            }
            paths = paths.path(path, PathItem::new(method, operation));
        }
    }
    let tags = GROUPS.map(|group| TagBuilder::new().name(group.name).description(Some(group.about)).build());
    let license = LicenseBuilder::new().name("MIT").identifier(Some("MIT")).build();
    let info = InfoBuilder::new().title("hny").version(env!("CARGO_PKG_VERSION")).description(Some(ABOUT));
    OpenApiBuilder::new()
        .info(info.license(Some(license)).build())
        .servers(Some([ServerBuilder::new().url(domains.base().as_str()).build()]))
        .paths(paths)
        .components(Some(components(schemas, &names)))
        .tags(Some(tags))
        .build()
}

fn components(mut schemas: Schemas, domains: &[Value]) -> utoipa::openapi::Components {
    for (_, schema) in &mut schemas {
        facets::put(schema);
        if let RefOr::T(Schema::Object(object)) = schema
            && let Some(RefOr::T(Schema::Object(domain))) = object.properties.get_mut("domain")
        {
            facets::one_of(domain, domains.iter().cloned());
        }
    }
    let bearer = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).description(Some("An API key, `hny_…`."));
    let header = ApiKeyValue::with_description("X-Api-Key", "The same.");
    ComponentsBuilder::new()
        .schemas_from_iter(schemas)
        .security_scheme(SCHEMES[0], SecurityScheme::Http(bearer.build()))
        .security_scheme(SCHEMES[1], SecurityScheme::ApiKey(ApiKey::Header(header)))
        .build()
}

#[cfg(test)]
mod tests;
