//! All rules that hold, ready to be asked.

use std::collections::BTreeMap;

use super::fingerprint::{Fingerprint, Marker};
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
    changes: BTreeMap<Fingerprint, bool>,
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
        Self { marks: Marks::new(marks).into(), changes: BTreeMap::new(), reach }
    }

    /// With a rule that came (`true`) or went.
    pub(super) fn change(&mut self, marker: &Marker, rule: &BlockRule, is_there: bool) {
        self.reach.widen(rule);
        self.changes.insert(marker.of(rule), is_there);
        if self.changes.len() > MOST_CHANGES {
            let stay = self.marks.iter().filter(|mark| !self.changes.contains_key(mark));
            let came = self.changes.iter().filter(|(_, is_there)| **is_there).map(|(mark, _)| *mark);
            self.marks = Marks::new(stay.chain(came).collect()).into();
            self.changes = BTreeMap::new();
        }
    }

    fn contain(&self, mark: Fingerprint) -> bool {
        match self.changes.get(&mark) {
            Some(is_there) => *is_there,
            None => self.marks.at(mark.place).binary_search(&mark).is_ok(),
        }
    }

    /// Whether one of them is about this place. Most hosts are in no rule for URLs, and nothing is asked about their paths.
    pub(super) fn block(&self, marker: &Marker, place: &Place<'_>) -> bool {
        let host = marker.domain(&place.host);
        let mark = |domain: &str| if domain.len() == place.host.len() { host } else { marker.domain(domain) };
        place.domains(self.reach.labels).any(|domain| self.contain(mark(domain)))
            || self.reach.folders > 0 && self.are_any_at(host.place) && self.block_url(marker, place)
    }

    fn are_any_at(&self, place: u32) -> bool {
        !self.marks.at(place).is_empty() || self.changes.range(Fingerprint::all_at(place)).next().is_some()
    }

    fn block_url(&self, marker: &Marker, place: &Place<'_>) -> bool {
        let (mut urls, mut folders) = (marker.urls(&place.host), 0);
        for part in place.path.split_inclusive('/') {
            urls.push(part);
            folders += usize::from(part.ends_with('/'));
            // A file may lie in the deepest folder, and is no folder itself.
            let may_be_listed = folders <= self.reach.folders;
            if may_be_listed && self.contain(urls.mark()) {
                return true;
            }
        }
        place.query.as_deref().is_some_and(|query| {
            urls.push("?");
            urls.push(query);
            self.contain(urls.mark())
        })
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
