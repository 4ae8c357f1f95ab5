//! `HNY_CODES` and what goes with it.

mod full;
mod hash;
mod key;
mod lookalike;
mod moving;
mod nodes;
mod private;
mod schemes;
mod settings;

use hny_store::{Settings, Store};
use hny_testkit::Program;
use serde_json::json;

use crate::caller::text;
use crate::site::{Site, program};

const TARGET: &str = "https://example.com/a?b=%2F";
const KEY: &str = "a secret of at least 32 characters";
const OTHER_KEY: &str = "another secret of 32 characters, too";

/// Every scheme there is, and how long its codes are.
const SCHEMES: [(&str, usize); 5] = [("random", 7), ("permuted", 7), ("counter", 7), ("snowflake", 11), ("hash", 7)];

/// A program that makes codes by `scheme`, with a key in case it needs one.
fn making(scheme: &str) -> Program {
    making_with(&program(), scheme)
}

/// As [`making`], on the database of `program`.
fn making_with(program: &Program, scheme: &str) -> Program {
    program.clone().env("HNY_CODES", scheme).env("HNY_CODE_KEY", KEY)
}

/// Makes a link to a target that no other link has; its code.
fn make(site: &Site, target: &str) -> String {
    let made = site.admin().shorten(&json!({"originalUrl": target}));
    assert_eq!(made.status, 201, "{}", made.text());
    text(&made.json(), "shortCode")
}

/// Asserts that a code leads where it should.
fn assert_leads(site: &Site, code: &str, target: &str) {
    let visit = site.visitor().get(&format!("/{code}"));
    assert_eq!((visit.status, visit.header("location")), (302, Some(target)), "{code}");
}

/// Has the next code be made of the number `next`, as if all before were leased.
fn lease_away(program: &Program, next: u32) {
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    runtime.block_on(async {
        let store = Store::open(Settings::new(program.database())).await.expect("a database");
        let leased = store.lease_numbers(next).await.expect("numbers");
        assert_eq!(leased, 0..u64::from(next), "nobody leased any before");
        store.close().await;
    });
}
