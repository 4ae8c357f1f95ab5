//! What the document says of paths, methods, keys, parameters and fields is what the program says of itself.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::{calls, document};
use crate::site::Site;

/// The last words of an error that lists names: `…: a, b and c`.
fn names_behind<'a>(detail: &'a str, words: &str) -> BTreeSet<&'a str> {
    let list = detail.split_once(words).unwrap_or_else(|| panic!("'{detail}' lists nothing")).1;
    let list = list.trim_start_matches("there are ").trim_start_matches("the only one is ");
    list.split(", ").flat_map(|name| name.split(" and ")).map(str::trim).collect()
}

#[test]
fn every_path_has_the_methods_of_the_document_and_no_other() {
    let site = Site::shared();
    let mut told: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for call in calls(&document(&site)) {
        told.entry(call.path).or_default().insert(call.method);
    }
    for (path, methods) in told {
        let answer = site.visitor().request("PROPFIND", &path, &[], b"");
        assert_eq!(answer.status, 405, "{path}");
        let allowed = answer.header("allow").unwrap_or_default().split(',').map(str::trim);
        // HEAD goes wherever GET goes, and is said once for all.
        let allowed: BTreeSet<_> = allowed.filter(|method| *method != "HEAD").map(str::to_owned).collect();
        assert_eq!(allowed, methods, "{path}");
    }
}

#[test]
fn a_call_needs_a_key_if_the_document_says_so() {
    let site = Site::shared();
    for call in calls(&document(&site)) {
        let answer = site.visitor().request(&call.method, &call.path, &[("Content-Type", "application/json")], b"{}");
        assert_eq!(answer.status == 401, call.needs_key(), "{} {} {}", call.method, call.path, answer.text());
        if call.needs_key() {
            assert_eq!(call.problems(401), ["urn:hny:problem:key-needed"], "{} {}", call.method, call.path);
        }
    }
}

#[test]
fn a_query_may_say_what_the_document_says() {
    let site = Site::shared();
    let mut admin = site.admin();
    let with_query: Vec<_> = calls(&document(&site)).into_iter().filter(|call| !call.parameters().is_empty()).collect();
    assert!(with_query.len() > 5);
    for call in with_query {
        let answer = admin.send(&call.method, &format!("{}?nonsense=1", call.path), &json!({}));
        assert_eq!(answer.status, 400, "{} {} {}", call.method, call.path, answer.text());
        let problem = answer.json();
        let detail = problem["errors"][0]["detail"].as_str().unwrap_or_default();
        let parameters = call.parameters();
        let told: BTreeSet<_> = parameters.iter().map(String::as_str).collect();
        assert_eq!(names_behind(detail, "there is no such parameter; "), told, "{} {}", call.method, call.path);
    }
}

#[test]
fn a_body_may_have_the_fields_of_the_document() {
    let site = Site::shared();
    let mut admin = site.admin();
    let document = document(&site);
    let with_body: Vec<_> = calls(&document).into_iter().filter(|call| call.body().is_some()).collect();
    assert!(with_body.len() > 2);
    for call in with_body {
        let answer = admin.send(&call.method, &call.path, &json!({"nonsense": 1}));
        assert_eq!(answer.status, 400, "{} {} {}", call.method, call.path, answer.text());
        let problem = answer.json();
        let detail = problem["errors"][0]["detail"].as_str().unwrap_or_default();
        let schema = &document["components"]["schemas"][call.body().unwrap()];
        let told: BTreeSet<_> = schema["properties"].as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(names_behind(detail, "the fields are "), told, "{} {}", call.method, call.path);
    }
}

#[test]
fn the_examples_of_a_new_link_make_one() {
    let site = Site::shared();
    let document = document(&site);
    let fields = document["components"]["schemas"]["NewLink"]["properties"].as_object().unwrap();
    let examples = fields.iter().filter_map(|(name, field)| Some((name.clone(), field["examples"].get(0)?.clone())));
    let new: serde_json::Map<_, _> = examples.filter(|(name, _)| name != "validFrom").collect();
    assert!(new.contains_key("originalUrl") && new.contains_key("customCode") && new.contains_key("expiresAt"));
    let made = site.admin().create(&Value::Object(new.clone()));
    assert!(new.iter().all(|(name, value)| name == "customCode" || &made[name] == value), "{made}");
}
