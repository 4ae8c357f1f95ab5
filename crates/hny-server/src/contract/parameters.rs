//! What a query may say, and the code in a path.

use hny_clicks::Interval;
use hny_domain::listing::input as listing;
use hny_domain::{Dimension, LinkState, code as code_rules, tag as tag_rules};
use hny_wire::facets::{PRINTED, one_of};
use serde_json::{Value, json};
use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
use utoipa::openapi::schema::{Object, Type};
use utoipa::openapi::{KnownFormat, OneOfBuilder, RefOr, Required, Schema, SchemaFormat};

use crate::extract::MOST_OF_A_KEY;

/// The code in the path of a call.
pub(super) fn code() -> Parameter {
    let mut schema = Object::with_type(Type::String);
    schema.pattern = Some(code_rules::PATTERN.to_owned());
    schema.examples = vec![json!("aB3x9zQ")];
    let parameter = ParameterBuilder::new().name("code").parameter_in(ParameterIn::Path).required(Required::True);
    parameter.description(Some("The code of the link.")).schema(Some(schema)).build()
}

/// The public number in the path of a call.
pub(super) fn id(about: &str) -> Parameter {
    let mut schema = text();
    schema.pattern = Some("^[0-9]{1,19}$".to_owned());
    let parameter = ParameterBuilder::new().name("id").parameter_in(ParameterIn::Path).required(Required::True);
    parameter.description(Some(about)).schema(Some(schema)).build()
}

/// The name of a request that may be sent again.
pub(super) fn idempotency_key() -> Parameter {
    let mut schema = text();
    (schema.min_length, schema.max_length) = (Some(1), Some(MOST_OF_A_KEY));
    let parameter = ParameterBuilder::new().name("Idempotency-Key").parameter_in(ParameterIn::Header);
    let about = "A name for this request: sent again within 24 hours it is answered as the first time, and done once.";
    parameter.required(Required::False).description(Some(about)).schema(Some(schema)).build()
}

/// The domain of the link, for where there are several.
pub(super) fn domain() -> Parameter {
    query("domain", "The domain of the link; the usual one if it is not said.", text())
}

/// If a parameter is a domain, it is one of these.
pub(super) fn name_domains(parameter: &mut RefOr<Parameter>, names: &[Value]) {
    if let RefOr::T(Parameter { name, schema: Some(RefOr::T(Schema::Object(schema))), .. }) = parameter
        && name == "domain"
    {
        schema.enum_values = Some(names.to_vec());
    }
}

/// From when to when, in how long pieces, and by what.
pub(super) fn question() -> [Parameter; 5] {
    let interval = {
        let mut interval = text();
        one_of(&mut interval, Interval::ALL.map(|interval| json!(interval.name())));
        interval.default = Some(json!(Interval::Day.name()));
        interval
    };
    let group_by = {
        let mut group_by = text();
        one_of(&mut group_by, Dimension::ALL.map(|dimension| json!(dimension.name())));
        group_by
    };
    let [from, to] = span();
    [
        from,
        to,
        query("interval", "How long the pieces of `series` are.", interval),
        query(
            "tz",
            "The IANA name of the time zone by whose clock days begin, as `Europe/Berlin`; UTC if not said.",
            text(),
        ),
        query("groupBy", "What `groups` are made by.", group_by),
    ]
}

/// From when to when.
pub(super) fn span() -> [Parameter; 2] {
    let moment = || {
        let of = |format| {
            let mut moment = text();
            moment.format = Some(SchemaFormat::KnownFormat(format));
            moment
        };
        Schema::OneOf(OneOfBuilder::new().item(of(KnownFormat::Date)).item(of(KnownFormat::DateTime)).build())
    };
    [
        query(
            "from",
            "Where the time begins: a day, or a moment with its offset; 30 days before `to` if not said.",
            moment(),
        ),
        query("to", "The first day or moment that is not in it; now if not said.", moment()),
    ]
}

/// Which part of a list.
pub(super) fn page(most: u32, usual: u32) -> [Parameter; 2] {
    let mut limit = Object::with_type(Type::Integer);
    (limit.minimum, limit.maximum) = (Some(1.into()), Some(most.into()));
    limit.default = Some(json!(usual));
    [
        query("limit", "How many at most.", limit),
        query("cursor", "The `next` of the page before; the first page if not said.", text()),
    ]
}

/// Which reports.
pub(super) fn report_state() -> Parameter {
    let mut state = text();
    one_of(&mut state, ["open", "resolved"].map(|name| json!(name)));
    query("state", "Those that wait for an answer, or those that have one; both if not said.", state)
}

/// Which links, in which order.
pub(super) fn list() -> Vec<Parameter> {
    let (mut search, mut tag) = (text(), text());
    (search.min_length, search.max_length) = (Some(1), Some(listing::MAX_SEARCH));
    (tag.min_length, tag.max_length) = (Some(1), Some(tag_rules::MAX_LENGTH));
    tag.pattern = Some(PRINTED.to_owned());
    let (mut state, mut order) = (text(), text());
    one_of(&mut state, LinkState::ALL.map(|state| json!(state.as_str())));
    one_of(&mut order, ["created", "-created", "clicks", "-clicks"].map(|name| json!(name)));
    order.default = Some(json!("-created"));
    let moment = || {
        let mut moment = text();
        moment.format = Some(SchemaFormat::KnownFormat(KnownFormat::DateTime));
        moment
    };
    let which = [
        query("search", "A text that the code, the target, the title or a tag has in it; case does not count.", search),
        query("tag", "A tag that they have.", tag),
        query("state", "What they are now.", state),
        query("createdFrom", "Made at this moment or later.", moment()),
        query("createdTo", "Made before this moment.", moment()),
        query(
            "order",
            "`-` is the latest, or the most, first. Nodes whose clicks are counted elsewhere have no order by `clicks`.",
            order,
        ),
    ];
    // A page of links has a few hundred at most.
    let [most, usual] = [listing::MOST, listing::USUAL].map(|number| u32::try_from(number).unwrap_or(u32::MAX));
    which.into_iter().chain(page(most, usual)).collect()
}

/// Which states of a link a change is meant for.
pub(super) fn if_match() -> Parameter {
    let parameter = ParameterBuilder::new().name("If-Match").parameter_in(ParameterIn::Header);
    let about = "The `ETag` of the link as it was read: if it has changed since, it is 412 and stays as it is.";
    parameter.required(Required::False).description(Some(about)).schema(Some(text())).build()
}

/// Which rule.
pub(super) fn rule() -> Parameter {
    let mut parameter = query("rule", "The domain or the URL, in any spelling.", text());
    parameter.required = Required::True;
    parameter
}

/// In what form.
pub(super) fn format() -> Parameter {
    let mut format = text();
    one_of(&mut format, ["json", "csv", "jsonl"].map(|name| json!(name)));
    format.default = Some(json!("json"));
    query("format", "A page in JSON, or everything as lines.", format)
}

fn query(name: &str, about: &str, schema: impl Into<RefOr<Schema>>) -> Parameter {
    let parameter = ParameterBuilder::new().name(name).parameter_in(ParameterIn::Query).required(Required::False);
    parameter.description(Some(about)).schema(Some(schema)).build()
}

fn text() -> Object {
    Object::with_type(Type::String)
}
