//! Where links may not lead: domains and URLs that operators block, and private address ranges.
//!
//! Rules come from the database and from files. They are asked when a link is made or changed, and again by its visitors, once after
//! each change of the rules: a *generation* says which rules a target was asked about last.

mod blocks;
mod files;
mod fingerprint;
mod lines;
mod lists;
mod marks;
mod place;
mod private;
mod rule;

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

pub use blocks::{BlockError, BlockPage, Blocks, ChangePage};
pub use files::{BlocklistFile, BlocklistFiles, FileError};
pub use rule::{BlockRule, RuleError};

use hny_domain::TargetError;

use fingerprint::{Fingerprint, Marker};
use lists::{Reach, Rules};
use place::Place;

/// Why a link may not lead somewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// A rule is about it. Which, and where it is from, is not told.
    Listed,
    /// It is a private address, or a name that only a local network knows.
    Private,
}

impl From<Refusal> for TargetError {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Listed => Self::Blocked,
            Refusal::Private => Self::Private,
        }
    }
}

/// Whether links may lead into private address ranges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PrivateTargets {
    /// They may.
    #[default]
    Allowed,
    /// They may not.
    Refused,
}

/// All rules, and how to ask them. Cheap to clone; all clones are the same one.
#[derive(Debug, Clone)]
pub struct Blocklist(Arc<Shelf>);

#[derive(Debug)]
struct Shelf {
    marker: Marker,
    private: PrivateTargets,
    database: RwLock<Arc<Rules>>,
    files: RwLock<Arc<Rules>>,
    generation: AtomicU32,
}

/// How much is blocked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlocklistUse {
    /// Rules from the database.
    pub database: usize,
    /// Rules from files.
    pub files: usize,
    /// The bytes of all.
    pub bytes: usize,
}

impl Blocklist {
    /// No rules but those about private targets.
    pub fn new(private: PrivateTargets) -> Self {
        // Generation 0 is that of links nobody was asked about: as long as there are no rules, nobody has to be.
        let generation = AtomicU32::new(u32::from(private == PrivateTargets::Refused));
        let rules = RwLock::default;
        Self(Arc::new(Shelf { marker: Marker::new(), private, database: rules(), files: rules(), generation }))
    }

    /// Which rules hold: another number than at any time before they last changed. 0 means that there were none ever.
    pub fn generation(&self) -> u32 {
        self.0.generation.load(Ordering::Acquire)
    }

    /// Why a link may not lead to `target`, which is a URL as a link has it. It takes about a microsecond, and waits for nothing.
    pub fn check(&self, target: &str) -> Result<(), Refusal> {
        // Every target of a link names a host.
        let Some(place) = Place::of(target) else { return Ok(()) };
        if self.0.private == PrivateTargets::Refused && private::is_private(&place.host) {
            return Err(Refusal::Private);
        }
        let is_listed = |rules: &RwLock<Arc<Rules>>| taken(rules).block(&self.0.marker, &place);
        if is_listed(&self.0.database) || is_listed(&self.0.files) { Err(Refusal::Listed) } else { Ok(()) }
    }

    /// How much is blocked.
    pub fn usage(&self) -> BlocklistUse {
        let (database, files) = (taken(&self.0.database), taken(&self.0.files));
        BlocklistUse { database: database.len(), files: files.len(), bytes: database.bytes() + files.bytes() }
    }

    /// Has these rules, and no others, as those of the database.
    pub(crate) fn set_database(&self, rules: Gathered) {
        self.set(&self.0.database, rules);
    }

    /// Has these rules, and no others, as those of files.
    pub(crate) fn set_files(&self, rules: Gathered) {
        self.set(&self.0.files, rules);
    }

    /// Adds (`true`) and removes rules of the database.
    pub(crate) fn change_database(&self, changes: &[(BlockRule, bool)]) {
        let mut rules = Rules::clone(&taken(&self.0.database));
        for (rule, is_there) in changes {
            rules.change(&self.0.marker, rule, *is_there);
        }
        self.replace(&self.0.database, rules);
    }

    /// To gather rules for it.
    pub(crate) fn gather(&self) -> Gathered {
        Gathered { marker: self.0.marker.clone(), marks: Vec::new(), reach: Reach::default() }
    }

    fn set(&self, place: &RwLock<Arc<Rules>>, gathered: Gathered) {
        let is_nothing_new = gathered.marks.is_empty() && taken(place).len() == 0;
        if !is_nothing_new {
            self.replace(place, Rules::new(gathered.marks, gathered.reach));
        }
    }

    fn replace(&self, place: &RwLock<Arc<Rules>>, rules: Rules) {
        *place.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(rules);
        // Behind the rules: whoever sees the number asks these.
        let next = |generation: u32| Some(generation.wrapping_add(1).max(1));
        // The closure always has an answer.
        let _ = self.0.generation.fetch_update(Ordering::Release, Ordering::Relaxed, next);
    }
}

fn taken(rules: &RwLock<Arc<Rules>>) -> Arc<Rules> {
    Arc::clone(&rules.read().unwrap_or_else(PoisonError::into_inner))
}

/// Rules that are put together, of which only marks are kept.
#[derive(Debug)]
pub(crate) struct Gathered {
    marker: Marker,
    marks: Vec<Fingerprint>,
    reach: Reach,
}

impl Gathered {
    pub(crate) fn push(&mut self, rule: &BlockRule) {
        self.reach.widen(rule);
        self.marks.push(self.marker.of(rule));
    }

    pub(crate) fn len(&self) -> usize {
        self.marks.len()
    }
}

/// No rules at all.
impl Default for Blocklist {
    fn default() -> Self {
        Self::new(PrivateTargets::Allowed)
    }
}

/// Rules that are given, for benches and tests.
impl FromIterator<BlockRule> for Blocklist {
    fn from_iter<T: IntoIterator<Item = BlockRule>>(rules: T) -> Self {
        let list = Self::new(PrivateTargets::Allowed);
        let mut gathered = list.gather();
        rules.into_iter().for_each(|rule| gathered.push(&rule));
        list.set_files(gathered);
        list
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(text: &str) -> BlockRule {
        BlockRule::parse(text).unwrap()
    }

    #[test]
    fn the_generation_tells_of_every_change() {
        let list = Blocklist::new(PrivateTargets::Allowed);
        list.set_files(list.gather());
        list.set_database(list.gather());
        assert_eq!(list.generation(), 0, "nothing is blocked, as before");
        let mut seen = vec![0];
        for step in 0..4 {
            match step {
                0 => list.change_database(&[(rule("a.example"), true)]),
                1 => list.set_files([rule("b.example")].iter().fold(list.gather(), |mut all, rule| {
                    all.push(rule);
                    all
                })),
                2 => list.set_files(list.gather()),
                _ => list.set_database(list.gather()),
            }
            assert!(!seen.contains(&list.generation()), "step {step}");
            seen.push(list.generation());
        }
        assert_eq!(list.check("https://a.example/"), Ok(()), "all is taken back");
    }

    #[test]
    fn rules_of_both_sources_hold() {
        let list: Blocklist = [rule("file.example")].into_iter().collect();
        list.change_database(&[(rule("database.example"), true)]);
        for host in ["file.example", "a.database.example"] {
            assert_eq!(list.check(&format!("https://{host}/")), Err(Refusal::Listed), "{host}");
        }
        let BlocklistUse { database, files, .. } = list.usage();
        assert_eq!((database, files), (1, 1));
        list.change_database(&[(rule("file.example"), false)]);
        assert_eq!(list.check("https://file.example/"), Err(Refusal::Listed), "it is the file's rule");
    }

    #[test]
    fn private_targets_are_refused_by_setting_only() {
        for (private, expected) in [(PrivateTargets::Allowed, Ok(())), (PrivateTargets::Refused, Err(Refusal::Private))]
        {
            let list = Blocklist::new(private);
            assert_eq!(list.check("http://127.0.0.1:8080/"), expected);
            assert_eq!(list.check("https://example.com/"), Ok(()));
            assert_eq!(list.generation() > 0, expected.is_err(), "links from before are asked about, too");
        }
    }
}
