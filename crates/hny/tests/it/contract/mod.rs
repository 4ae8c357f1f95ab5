//! The contract at `/api/v1/openapi.json` is what the program does, and `/api/docs` shows all of it.

mod fuzzed;
mod page;
mod truth;

use std::collections::BTreeSet;

use serde_json::Value;

use crate::site::Site;

/// A code that no link has.
const CODE: &str = "no-such-link";

/// The document as a program has it.
pub(crate) fn document(site: &Site) -> Value {
    let answer = site.visitor().get("/api/v1/openapi.json");
    assert_eq!(answer.status, 200);
    answer.json()
}

/// A call as the document has it.
pub(crate) struct Call {
    /// In capitals.
    pub(crate) method: String,
    /// With something in the place of each parameter.
    pub(crate) path: String,
    pub(crate) operation: Value,
}

/// All calls.
pub(crate) fn calls(document: &Value) -> Vec<Call> {
    let paths = document["paths"].as_object().expect("paths");
    let of_path = |(path, item): (&String, &Value)| {
        let path =
            path.split('/').map(|part| if part.starts_with('{') { CODE } else { part }).collect::<Vec<_>>().join("/");
        let calls = item.as_object().expect("calls").clone().into_iter();
        calls.map(move |(method, operation)| Call { method: method.to_uppercase(), path: path.clone(), operation })
    };
    let calls: Vec<_> = paths.iter().flat_map(of_path).collect();
    assert!(calls.len() > 10, "{document}");
    calls
}

impl Call {
    /// Whether it does nothing without a key.
    pub(crate) fn needs_key(&self) -> bool {
        let ways = self.operation["security"].as_array();
        ways.is_some_and(|ways| !ways.iter().any(|way| way.as_object().is_some_and(serde_json::Map::is_empty)))
    }

    /// Its path, with this in the place of each parameter.
    pub(crate) fn path_of(&self, parameter: &str) -> String {
        self.path.replace(CODE, parameter)
    }

    /// The names of what its query may say.
    fn parameters(&self) -> BTreeSet<String> {
        let all = self.operation["parameters"].as_array().into_iter().flatten();
        all.filter(|parameter| parameter["in"] == "query")
            .map(|parameter| crate::caller::text(parameter, "name"))
            .collect()
    }

    /// The name of the shape of its body, if it takes one.
    pub(crate) fn body(&self) -> Option<&str> {
        self.operation["requestBody"]["content"]["application/json"]["schema"]["$ref"].as_str()?.rsplit('/').next()
    }

    /// The types of the problems that it can answer with this status.
    pub(crate) fn problems(&self, status: u16) -> Vec<&str> {
        let schema = &self.operation["responses"][status.to_string()]["content"]["application/problem+json"]["schema"];
        let kinds = schema["allOf"][1]["properties"]["type"]["enum"].as_array().into_iter().flatten();
        kinds.filter_map(Value::as_str).collect()
    }
}
