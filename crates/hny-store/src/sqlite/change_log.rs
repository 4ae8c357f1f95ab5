//! The versions that a transaction gives.

use hny_domain::{Code, DomainId, Version};
use rusqlite::{Connection, Result};

use crate::Change;

/// The changes of links in one transaction, each with its version. The sequence is read at the start of the transaction and
/// written at its end; nobody else can take a version in between, because SQLite has one writer at a time.
#[derive(Debug)]
pub(super) struct ChangeLog {
    first: Version,
    changes: Vec<Change>,
}

impl ChangeLog {
    /// Goes on from where the database is.
    pub(super) fn read(sql: &Connection) -> Result<Self> {
        let Version(last) = last_version(sql)?;
        Ok(Self { first: Version(last + 1), changes: Vec::new() })
    }

    /// The version of the change that is recorded next.
    pub(super) fn next_version(&self) -> Version {
        Version(self.first.0 + self.changes.len() as u64)
    }

    /// Takes the next version for a change that was made.
    pub(super) fn record(&mut self, domain: DomainId, code: Code) {
        let version = self.next_version();
        self.changes.push(Change { domain, code, version });
    }

    /// How many changes are recorded.
    pub(super) fn len(&self) -> usize {
        self.changes.len()
    }

    /// The changes after the first `len`.
    pub(super) fn since(&self, len: usize) -> &[Change] {
        self.changes.get(len..).unwrap_or_default()
    }

    /// Forgets the changes after the first `len`: they were rolled back.
    pub(super) fn truncate(&mut self, len: usize) {
        self.changes.truncate(len);
    }

    /// Writes the last version taken into the database.
    pub(super) fn write(&self, sql: &Connection) -> Result<()> {
        if let Some(last) = self.changes.last() {
            sql.prepare_cached("UPDATE sequence SET version = ?1")?.execute([last.version.0.cast_signed()])?;
        }
        Ok(())
    }

    /// The changes, by ascending version without a gap.
    pub(super) fn into_changes(self) -> Vec<Change> {
        self.changes
    }
}

/// The last version that was given.
pub(super) fn last_version(sql: &Connection) -> Result<Version> {
    let mut statement = sql.prepare_cached("SELECT version FROM sequence")?;
    statement.query_row([], |row| row.get::<_, i64>(0)).map(|version| Version(version.cast_unsigned()))
}
