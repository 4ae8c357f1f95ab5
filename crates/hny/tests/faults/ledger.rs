//! What a program was told, to be held against what it knows later.

use std::collections::{HashMap, HashSet};

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

    /// How many were sent and not answered.
    pub(crate) fn doubtful(&self) -> usize {
        self.doubtful.len()
    }

    /// Asserts that these are all links of a database, a line with code and target for each: those that were acknowledged, some
    /// of those that were not answered, and none of them twice. (Each target was sent once.)
    pub(crate) fn check_rows(&self, rows: &str) {
        let rows: Vec<_> = rows.lines().map(|row| row.split_once('|').expect("a code and a target")).collect();
        let targets: HashMap<_, _> = rows.iter().copied().collect();
        let distinct: HashSet<_> = targets.values().collect();
        assert_eq!((targets.len(), distinct.len()), (rows.len(), rows.len()), "a code or a target is there twice");
        for (code, expected) in &self.links {
            assert_eq!(targets.get(&**code), Some(&&**expected), "{code}");
        }
        let doubtful: HashSet<_> = self.doubtful.iter().map(|attempt| &*attempt.target).collect();
        for (code, target) in rows {
            assert!(self.links.contains_key(code) || doubtful.contains(target), "nobody asked for {code}, to {target}");
        }
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
