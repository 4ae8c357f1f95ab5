//! Links made before, while and after a disk has no room.

use hny_testkit::{Client, DEADLINE, Response, Running};
use serde_json::json;

use crate::admin::Admin;
use crate::visit;

/// Creates after which a full disk must have been noticed.
const MANY: usize = 3000;

/// In every target, and nowhere else.
const HOST: &str = "kept.example";

/// What was acknowledged, and what was not.
#[derive(Debug, Default)]
pub(super) struct Links {
    there: Vec<(String, String)>,
    refused: Vec<String>,
}

impl Links {
    /// Makes some; one half is in the cache then, the other half is not.
    pub(super) fn make(hny: &Running) -> Self {
        let mut links = Self::default();
        let mut client = Client::connect(hny.address());
        for _ in 0..20 {
            assert_eq!(links.try_create(&mut client, "").status, 201);
        }
        for (code, target) in &links.there[..10] {
            assert_eq!(visit::target(&mut client, code).as_ref(), Some(target));
        }
        links
    }

    /// Makes large ones until one is refused as it should be; no redirect suffers.
    pub(super) fn fill(&mut self, hny: &Running) {
        let mut client = Client::connect(hny.address());
        let large = "x".repeat(8000);
        for _ in 0..MANY {
            let answer = self.try_create(&mut client, &large);
            if answer.status != 201 {
                visit::assert_unavailable(&answer);
                self.check(hny);
                assert_eq!(client.get("/readyz").status, 200, "it can serve redirects, so it is ready");
                return;
            }
        }
        panic!("{MANY} links fit");
    }

    /// Asserts that edits and deletions are refused too, and change nothing.
    pub(super) fn assert_changes_are_refused(&mut self, hny: &Running, key: &str) {
        let mut admin = Admin::connect(hny, key);
        let (code, _) = &self.there[0];
        visit::assert_unavailable(&admin.edit(code, &json!({"originalUrl": "https://other.example/"})));
        visit::assert_unavailable(&admin.delete(code));
        self.check(hny);
    }

    /// Asserts that creates work again, at once, and that nothing is lost.
    pub(super) fn recover(&mut self, hny: &Running) {
        let mut client = Client::connect(hny.address());
        for _ in 0..20 {
            let answer = self.try_create(&mut client, "");
            assert_eq!(answer.status, 201, "{answer:?}");
        }
        self.check(hny);
    }

    /// Asserts that every acknowledged link leads where it should, and no refused one anywhere.
    pub(super) fn check(&self, hny: &Running) {
        let mut client = Client::connect(hny.address());
        for (code, target) in &self.there {
            assert_eq!(visit::target(&mut client, code).as_ref(), Some(target), "{code}");
        }
        for code in &self.refused {
            assert_eq!(visit::target(&mut client, code), None, "{code} was refused");
        }
    }

    /// Tries to make the next one, with a target of its own that ends in `end`.
    pub(super) fn try_create(&mut self, client: &mut Client, end: &str) -> Response {
        let number = self.there.len() + self.refused.len();
        let (code, target) = (format!("link-{number}"), format!("https://{HOST}/{number}?{end}"));
        let answer = visit::try_shorten_as(client, &code, &target);
        match answer.status {
            201 => self.there.push((code, target)),
            _ => self.refused.push(code),
        }
        answer
    }
}

/// Stops the program; it has said that the store was not available, and no target.
pub(super) fn assert_logged_discreetly(mut hny: Running) {
    hny.terminate();
    assert_eq!(hny.wait(DEADLINE).code(), Some(0));
    let said = hny.stderr();
    assert!(said.contains("WARN") && said.contains("the store is not available"), "{said}");
    assert!(!said.contains(HOST), "a target in {said}");
}
