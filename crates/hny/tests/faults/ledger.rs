//! What a program was told, to be held against what it knows later.

use std::collections::HashMap;

use hny_testkit::{Client, Running};

use crate::load::Attempt;
use crate::visit;

/// All links of a test.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    /// What was acknowledged: code and target.
    links: HashMap<String, String>,
    /// What was sent and not answered.
    doubtful: Vec<Attempt>,
}

impl Ledger {
    /// Notes what a load has sent. No code may have been given twice.
    pub(crate) fn note(&mut self, attempts: Vec<Attempt>) {
        for attempt in attempts {
            match attempt.code {
                Some(code) if attempt.is_acknowledged => {
                    let other = self.links.insert(code.clone(), attempt.target);
                    assert_eq!(other, None, "{code} was given twice");
                }
                _ => self.doubtful.push(attempt),
            }
        }
    }

    /// How many links were acknowledged.
    pub(crate) fn acknowledged(&self) -> usize {
        self.links.len()
    }

    /// Asserts that every acknowledged link is there with its exact target, and every other one so or not at all. Answers the
    /// least and the most links that there can be.
    pub(crate) fn check(&self, hny: &Running) -> (usize, usize) {
        let mut client = Client::connect(hny.address());
        for (code, expected) in &self.links {
            assert_eq!(visit::target(&mut client, code).as_ref(), Some(expected), "{code}");
        }
        let chosen = self.doubtful.iter().filter_map(|attempt| Some((attempt.code.as_ref()?, &attempt.target)));
        let there = chosen.filter(|(code, expected)| match visit::target(&mut client, code) {
            Some(found) => {
                assert_eq!(&found, *expected, "{code}");
                true
            }
            None => false,
        });
        let (there, unknown) = (there.count(), self.doubtful.iter().filter(|attempt| attempt.code.is_none()).count());
        (self.links.len() + there, self.links.len() + there + unknown)
    }
}
