//! What is mapped is read out of the list of this process's maps, as the system keeps it.

use std::fs;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags};
use tempfile::TempDir;

use super::*;

const MOST: i64 = 1 << 30;

/// A file with a table of numbers, its writer, and a reader.
struct Example {
    // Dropped in this order.
    reader: Mapped,
    writer: Connection,
    path: PathBuf,
    _folder: TempDir,
}

impl Example {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("example.db");
        let writer = Connection::open(&path).unwrap();
        writer
            .execute_batch("PRAGMA journal_mode = WAL; CREATE TABLE numbers (id INTEGER PRIMARY KEY, text TEXT)")
            .unwrap();
        add(&writer, 1, 2_000);
        write_back(&writer);
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let reader = Mapped::new(Connection::open_with_flags(&path, flags).unwrap(), MOST).unwrap();
        let example = Self { reader, writer, path, _folder: folder };
        example.count();
        example
    }

    /// Reads every page.
    fn count(&self) -> i64 {
        self.reader.query_row("SELECT count(*) FROM numbers WHERE length(text) > 0", (), |row| row.get(0)).unwrap()
    }

    /// How much of the file this process has mapped, and how much of that is there without a fault.
    fn mapped(&self) -> (u64, u64) {
        let maps = fs::read_to_string("/proc/self/smaps").unwrap();
        let path = fs::canonicalize(&self.path).unwrap();
        let mut lines = maps.lines().skip_while(|line| !is_map_of(line, &path)).skip(1);
        let mut field = |name: &str| {
            let line = lines.find(|line| line.starts_with(name))?;
            line.split_whitespace().nth(1)?.parse::<u64>().ok()
        };
        (field("Size:").unwrap_or(0), field("Rss:").unwrap_or(0))
    }

    fn commit(&self) {
        self.writer.execute("UPDATE numbers SET text = hex(randomblob(500)) WHERE id = 7", ()).unwrap();
    }
}

fn is_map_of(line: &str, path: &Path) -> bool {
    line.ends_with(&*path.to_string_lossy())
}

/// Writes rows of a kilobyte with these numbers.
fn add(writer: &Connection, first: i64, last: i64) {
    let rows = "WITH RECURSIVE more (id) AS (SELECT ?1 UNION ALL SELECT id + 1 FROM more WHERE id < ?2)
        INSERT INTO numbers SELECT id, hex(randomblob(500)) FROM more";
    writer.execute(rows, (first, last)).unwrap();
}

fn write_back(writer: &Connection) {
    writer.query_row("PRAGMA wal_checkpoint(TRUNCATE)", (), |_| Ok(())).unwrap();
}

#[test]
fn a_commit_leaves_the_map_and_is_seen() {
    let example = Example::new();
    let (size, there) = example.mapped();
    assert!(size > 1_900 && there > 1_900, "{size} {there}");
    for _ in 0..3 {
        example.commit();
        let first: String =
            example.writer.query_row("SELECT text FROM numbers WHERE id = 7", (), |row| row.get(0)).unwrap();
        let read = |id: i64| example.reader.query_row("SELECT text FROM numbers WHERE id = ?1", [id], |row| row.get(0));
        assert_eq!(read(7), Ok(first), "the newest commit is read");
        let (_, still_there) = example.mapped();
        assert!(still_there >= there, "{still_there} of {there} are there without a fault");
        write_back(&example.writer);
    }
}

#[test]
fn without_this_crate_a_commit_unmaps_the_file() {
    let mut example = Example::new();
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let plain = Connection::open_with_flags(&example.path, flags).unwrap();
    plain.pragma_update_and_check(None, "mmap_size", MOST, |_| Ok(())).unwrap();
    example.reader = Mapped { connection: plain, _methods: None };
    example.count();
    let (_, before) = example.mapped();
    example.commit();
    example.reader.query_row("SELECT id FROM numbers WHERE id = 7", (), |_| Ok(())).unwrap();
    let (_, after) = example.mapped();
    assert!(after < before / 2, "this crate has become needless: {after} of {before} are there");
}

#[test]
fn a_file_that_grows_is_mapped_further() {
    let example = Example::new();
    let (before, _) = example.mapped();
    add(&example.writer, 2_001, 8_000);
    write_back(&example.writer);
    assert_eq!(example.count(), 8_000);
    let (after, _) = example.mapped();
    assert!(after > 3 * before, "{after} of it are mapped, before it grew it was {before}");
}

#[test]
fn a_file_that_was_cut_is_read_rightly() {
    let example = Example::new();
    example.writer.execute_batch("DELETE FROM numbers WHERE id > 10; VACUUM").unwrap();
    write_back(&example.writer);
    assert_eq!(example.count(), 10);
    let (size, _) = example.mapped();
    assert!(size < 100, "{size}");
    add(&example.writer, 11, 5_000);
    write_back(&example.writer);
    assert_eq!(example.count(), 5_000);
}

#[test]
fn a_reader_between_a_cut_and_a_growth_reads_rightly() {
    let example = Example::new();
    example.writer.execute_batch("DELETE FROM numbers WHERE id > 10; VACUUM").unwrap();
    write_back(&example.writer);
    add(&example.writer, 11, 2_000);
    write_back(&example.writer);
    let all = "SELECT group_concat(text) FROM numbers";
    let read = |sql: &Connection| sql.query_row(all, (), |row| row.get::<_, String>(0)).unwrap();
    assert!(read(&example.reader) == read(&example.writer), "both read the same");
}

#[test]
fn a_database_in_memory_has_nothing_to_map() {
    let reader = Mapped::new(Connection::open_in_memory().unwrap(), MOST).unwrap();
    assert_eq!(reader.query_row("SELECT 1", (), |row| row.get(0)), Ok(1));
}
