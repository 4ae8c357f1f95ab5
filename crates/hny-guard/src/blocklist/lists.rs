//! All rules that hold, ready to be asked.

use std::collections::HashMap;

use super::fingerprint::{Fingerprint, Kind, Marker};
use super::marks::Marks;
use super::place::Place;
use super::rule::BlockRule;

/// So many changes are kept beside the marks before they are merged: looking through them costs no more than the marks do.
const MOST_CHANGES: usize = 4_096;

/// The rules of one source.
#[derive(Debug, Clone, Default)]
pub(super) struct Rules {
    marks: std::sync::Arc<Marks>,
    /// What came and went since the marks were sorted.
    changes: HashMap<Fingerprint, bool>,
    reach: Reach,
}

/// How far rules look, so that no question is asked that none of them answers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Reach {
    /// The labels of the longest domain.
    labels: usize,
    /// The slashes of the deepest URL; 0 where there is none.
    folders: usize,
}

impl Reach {
    /// With a rule more.
    pub(super) fn widen(&mut self, rule: &BlockRule) {
        match rule {
            // An address counts as a domain.
            BlockRule::Domain(name) => self.labels = self.labels.max(name.split('.').count()).max(2),
            BlockRule::Url(url) => {
                let path = url.split('?').next().unwrap_or_default();
                self.folders = self.folders.max(path.matches('/').count());
            }
        }
    }
}

impl Rules {
    /// From marks in any order.
    pub(super) fn new(marks: Vec<Fingerprint>, reach: Reach) -> Self {
        Self { marks: Marks::new(marks).into(), changes: HashMap::new(), reach }
    }

    /// With a rule that came (`true`) or went.
    pub(super) fn change(&mut self, marker: &Marker, rule: &BlockRule, is_there: bool) {
        self.reach.widen(rule);
        self.changes.insert(marker.of(rule), is_there);
        if self.changes.len() > MOST_CHANGES {
            let stay = self.marks.iter().filter(|mark| !self.changes.contains_key(mark));
            let came = self.changes.iter().filter(|(_, is_there)| **is_there).map(|(mark, _)| *mark);
            self.marks = Marks::new(stay.chain(came).collect()).into();
            self.changes = HashMap::new();
        }
    }

    fn contain(&self, mark: Fingerprint) -> bool {
        match self.changes.get(&mark) {
            Some(is_there) if !self.changes.is_empty() => *is_there,
            _ => self.marks.contain(mark),
        }
    }

    /// Whether one of them is about this place.
    pub(super) fn block(&self, marker: &Marker, place: &Place<'_>) -> bool {
        self.block_domain(marker, place) || self.reach.folders > 0 && self.block_url(marker, place)
    }

    fn block_domain(&self, marker: &Marker, place: &Place<'_>) -> bool {
        place.domains(self.reach.labels).any(|domain| self.contain(marker.mark(Kind::Domain, &[domain])))
    }

    fn block_url(&self, marker: &Marker, place: &Place<'_>) -> bool {
        let (host, path) = (&*place.host, &*place.path);
        let is_listed = |parts: &[&str]| self.contain(marker.mark(Kind::Url, parts));
        place.folders(self.reach.folders).any(|folder| is_listed(&[host, folder]))
            || !path.ends_with('/') && is_listed(&[host, path])
            || place.query.as_deref().is_some_and(|query| is_listed(&[host, path, "?", query]))
    }

    /// How many there are; a rule that came twice is counted once when it is merged.
    pub(super) fn len(&self) -> usize {
        let came = self.changes.values().filter(|is_there| **is_there).count();
        self.marks.len() + came
    }

    /// The bytes of their marks.
    pub(super) fn bytes(&self) -> usize {
        self.marks.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(marker: &Marker, texts: &[&str]) -> Rules {
        let mut reach = Reach::default();
        let rules = texts.iter().map(|text| BlockRule::parse(text).unwrap());
        let marks = rules.inspect(|rule| reach.widen(rule)).map(|rule| marker.of(&rule)).collect();
        Rules::new(marks, reach)
    }

    fn block(rules: &Rules, marker: &Marker, target: &str) -> bool {
        rules.block(marker, &Place::of(target).unwrap())
    }

    #[test]
    fn a_domain_is_blocked_with_everything_below_it() {
        let marker = Marker::new();
        let rules = rules(&marker, &["evil.example", "a.b.co.uk", "192.0.2.1"]);
        for target in [
            "https://evil.example/",
            "http://evil.example:8080/a?b#c",
            "https://evil.example./",
            "https://www.evil.example/x",
            "https://a.b.c.d.evil.example/",
            "https://a.b.co.uk/",
            "http://192.0.2.1/",
            "http://[::ffff:192.0.2.1]/",
        ] {
            assert!(block(&rules, &marker, target), "{target}");
        }
        for target in [
            "https://example/",
            "https://notevil.example/",
            "https://evil.example.org/",
            "https://b.co.uk/",
            "http://1.192.0.2/",
            "https://example.org/evil.example/",
            "https://example.org/?evil.example",
        ] {
            assert!(!block(&rules, &marker, target), "{target}");
        }
    }

    #[test]
    fn a_url_is_blocked_by_its_host_and_path() {
        let marker = Marker::new();
        let rules = rules(
            &marker,
            &["https://evil.example/a", "evil.example/b/", "evil.example/c?d=1", "http://whole.example/"],
        );
        for target in [
            "http://evil.example/a",
            "https://evil.example:444/a?x#y",
            "https://evil.example/%61",
            "https://evil.example//a",
            "https://evil.example/b/",
            "https://evil.example/b/x/y?z",
            "https://evil.example/c?d=1",
            "https://whole.example/",
            "https://whole.example/x/y",
        ] {
            assert!(block(&rules, &marker, target), "{target}");
        }
        for target in [
            "https://evil.example/",
            "https://evil.example/aa",
            "https://evil.example/a/",
            "https://evil.example/b",
            "https://evil.example/c",
            "https://evil.example/c?d=2",
            "https://www.evil.example/a",
            "https://www.whole.example/",
        ] {
            assert!(!block(&rules, &marker, target), "{target}");
        }
    }

    #[test]
    fn rules_come_and_go() {
        let marker = Marker::new();
        let mut rules = rules(&marker, &["old.example"]);
        let (old, new) = (BlockRule::parse("old.example").unwrap(), BlockRule::parse("a.new.example/x").unwrap());
        rules.change(&marker, &old, false);
        rules.change(&marker, &new, true);
        let holds = |rules: &Rules| {
            (block(rules, &marker, "https://old.example/"), block(rules, &marker, "https://a.new.example/x"))
        };
        assert_eq!(holds(&rules), (false, true));
        for number in 0..=MOST_CHANGES {
            rules.change(&marker, &BlockRule::parse(&format!("a{number}.example")).unwrap(), number % 2 == 0);
        }
        assert!(rules.changes.len() < 10, "they are merged");
        assert_eq!(holds(&rules), (false, true));
        assert!(block(&rules, &marker, "https://a0.example/") && !block(&rules, &marker, "https://a1.example/"));
        rules.change(&marker, &old, true);
        assert_eq!(holds(&rules), (true, true));
    }
}
