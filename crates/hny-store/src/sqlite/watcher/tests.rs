use hny_domain::{Code, DomainId};
use tempfile::TempDir;

use super::*;
use crate::sqlite::migrations;

/// A watcher that looks when it is told to, and the changes it reported, page by page.
struct Stand {
    _folder: TempDir,
    other: Connection,
    thread: Thread,
    reports: Receiver<Vec<Change>>,
}

impl Stand {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("hny.db");
        let other = migrations::open_migrated(&path).unwrap();
        let position = Position::open(&path).unwrap();
        let (report, reports) = mpsc::channel();
        let listeners = Listeners::default();
        listeners.add(Box::new(move |changes| report.send(changes.to_vec()).unwrap()));
        let seen = Seen { listeners: Arc::new(listeners), ..Seen::default() };
        let thread = Thread { position, seen, anchor: Arc::default(), is_failing: false };
        Self { _folder: folder, other, thread, reports }
    }

    /// Makes links with these versions, as another process would.
    fn insert(&self, versions: std::ops::RangeInclusive<u64>) {
        let insert = "WITH RECURSIVE numbers (n) AS (VALUES (?1) UNION ALL SELECT n + 1 FROM numbers WHERE n < ?2)
            INSERT INTO links (id, domain, code, is_custom, target, target_hash, created_at, updated_at, active, version)
            SELECT n, 0, 'c' || n, 0, 'https://example.com/', 0, 0, 0, 1, n FROM numbers";
        let range = [versions.start().cast_signed(), versions.end().cast_signed()];
        self.other.execute(insert, range).unwrap();
        self.other.execute("UPDATE sequence SET version = ?1", [range[1]]).unwrap();
    }

    /// Notes these versions as ours, as the writer would.
    fn note_own(&self, versions: std::ops::RangeInclusive<u64>) {
        let change = |version| Change {
            domain: DomainId::BASE,
            code: Code::parse(&format!("c{version}")).unwrap(),
            version: Version(version),
        };
        self.thread.seen.own_changes.note(&versions.map(change).collect::<Vec<_>>());
    }

    /// The versions that a look reports.
    fn look(&mut self) -> Vec<Vec<u64>> {
        self.thread.look().unwrap();
        self.reports.try_iter().map(|page| page.iter().map(|change| change.version.0).collect()).collect()
    }
}

#[test]
fn what_another_process_changed_is_reported_once() {
    let mut stand = Stand::new();
    assert!(stand.look().is_empty());
    stand.insert(1..=2);
    assert_eq!(stand.look(), [[1, 2]]);
    assert!(stand.look().is_empty());
}

#[test]
fn our_own_changes_are_not_reported_again() {
    let mut stand = Stand::new();
    stand.insert(1..=9);
    stand.note_own(1..=2);
    stand.note_own(5..=6);
    stand.note_own(9..=9);
    assert_eq!(stand.look(), [[3, 4, 7, 8]]);
    stand.insert(10..=10);
    stand.note_own(10..=10);
    assert!(stand.look().is_empty());
}

#[test]
fn many_changes_come_in_pages() {
    let mut stand = Stand::new();
    stand.insert(1..=2500);
    let pages = stand.look();
    assert_eq!(pages.iter().map(Vec::len).collect::<Vec<_>>(), [1000, 1000, 500]);
    assert_eq!(pages.concat(), (1..=2500).collect::<Vec<_>>());
}

#[test]
fn a_link_that_was_changed_twice_is_reported_as_it_is_now() {
    let mut stand = Stand::new();
    stand.insert(1..=2);
    stand.other.execute_batch("UPDATE links SET version = 3 WHERE id = 1; UPDATE sequence SET version = 3").unwrap();
    assert_eq!(stand.look(), [[2, 3]]);
}

#[test]
fn what_could_not_be_read_is_reported_later() {
    let mut stand = Stand::new();
    stand.insert(1..=1);
    stand.other.execute_batch("ALTER TABLE links RENAME TO lost").unwrap();
    stand.thread.look().unwrap_err();
    stand.other.execute_batch("ALTER TABLE lost RENAME TO links").unwrap();
    assert_eq!(stand.look(), [[1]]);
}

#[test]
fn changes_from_before_the_start_are_old_news() {
    let mut stand = Stand::new();
    stand.insert(1..=3);
    let path = stand.other.path().unwrap().to_owned();
    stand.thread.position = Position::open(Path::new(&path)).unwrap();
    assert!(stand.look().is_empty());
    stand.insert(4..=4);
    assert_eq!(stand.look(), [[4]]);
}
