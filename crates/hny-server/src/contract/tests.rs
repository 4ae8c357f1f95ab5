use std::collections::BTreeSet;

use hny_domain::BaseUrl;
use hny_wire::read::Shape;
use hny_wire::{LinkPatch, NewLink};
use serde_json::Value;

use super::*;

fn as_json() -> Value {
    let base = BaseUrl::parse("https://hny.example").unwrap();
    serde_json::to_value(document(&Domains::one(base.into()))).unwrap()
}

/// The snapshot in the repository; `INSTA_UPDATE=always cargo test -p hny-server contract` writes it anew.
#[test]
fn the_document() {
    insta::assert_json_snapshot!("openapi", as_json());
}

#[test]
fn a_shape_that_is_read_has_the_fields_that_are_read() {
    let document = as_json();
    let fields = |name: &str| -> BTreeSet<String> {
        let schema = &document["components"]["schemas"][name];
        assert_eq!(schema["additionalProperties"], false, "{name}");
        schema["properties"].as_object().unwrap().keys().cloned().collect()
    };
    let read = |names: &[&str]| names.iter().map(ToString::to_string).collect::<BTreeSet<_>>();
    assert_eq!(fields("NewLink"), read(NewLink::FIELDS));
    assert_eq!(fields("LinkPatch"), read(LinkPatch::FIELDS));
}

#[test]
fn every_reference_leads_somewhere() {
    let document = as_json();
    let text = document.to_string();
    let names = text.split("#/components/schemas/").skip(1).filter_map(|rest| rest.split('"').next());
    let known = document["components"]["schemas"].as_object().unwrap();
    let names: BTreeSet<_> = names.collect();
    assert!(names.iter().all(|name| known.contains_key(*name)), "{names:?}");
    assert!(names.contains("Problem") && names.len() > 5);
}
