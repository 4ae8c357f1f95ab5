//! Which database.

use std::path::PathBuf;

use hny_store::{PostgresUrl, PostgresUrlError};
use thiserror::Error;

/// Which database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Database {
    /// A SQLite file, made if it is not there.
    Sqlite(PathBuf),
    /// A database of PostgreSQL.
    Postgres(PostgresUrl),
}

/// Why a text does not name a database. No message repeats the text: it may have a password in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub(super) enum DatabaseError {
    /// A URL of PostgreSQL that is wrong.
    #[error(transparent)]
    Postgres(#[from] PostgresUrlError),
    /// Another kind of database, or no kind at all.
    #[error(
        "must be 'sqlite:' and the path of a file, such as sqlite:hny.db or sqlite:///var/lib/hny/hny.db, or postgres://user:password@host:5432/database"
    )]
    Scheme,
    /// No path, or that of a folder.
    #[error("must name a file after 'sqlite:', such as sqlite:hny.db")]
    NoFile,
    /// `sqlite://name`, where a host would be.
    #[error(
        "has two slashes, which start a host name: write sqlite:hny.db for a relative path, sqlite:///hny.db for one from the root"
    )]
    Host,
    /// A database in memory.
    #[error(
        "may not be a database in memory: all links would be lost at every stop, and the command line would not see them; name a file, such as sqlite:hny.db"
    )]
    Memory,
    /// `?mode=…` and the like.
    #[error("takes no options after a '?': name only the file, such as sqlite:hny.db")]
    Options,
}

impl Database {
    pub(super) fn parse(text: &str) -> Result<Self, DatabaseError> {
        if PostgresUrl::is_meant_by(text) {
            return Ok(Self::Postgres(PostgresUrl::parse(text)?));
        }
        let path = text.strip_prefix("sqlite:").ok_or(DatabaseError::Scheme)?;
        Ok(Self::Sqlite(parse_path(path)?))
    }
}

/// `name`, `/from/root` or `///from/root`. Percent escapes are not decoded: a path is written as it is.
fn parse_path(path: &str) -> Result<PathBuf, DatabaseError> {
    if path.contains(":memory:") || path.contains("mode=memory") {
        return Err(DatabaseError::Memory);
    }
    if path.contains('?') {
        return Err(DatabaseError::Options);
    }
    let path = match path.strip_prefix("//") {
        Some(rest) if rest.starts_with('/') => rest,
        Some("") => return Err(DatabaseError::NoFile),
        Some(_) => return Err(DatabaseError::Host),
        None => path,
    };
    // SQLite would read `file:` as a URI of its own and keep `:…` for itself; a NUL ends a name.
    let is_file = !path.is_empty() && !path.ends_with('/') && !path.starts_with([':']) && !path.starts_with("file:");
    if is_file && !path.contains('\0') { Ok(path.into()) } else { Err(DatabaseError::NoFile) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_taken_as_it_is() {
        for (text, path) in [
            ("sqlite:hny.db", "hny.db"),
            ("sqlite:./data/hny.db", "./data/hny.db"),
            ("sqlite:/var/lib/hny.db", "/var/lib/hny.db"),
            ("sqlite:///var/lib/hny.db", "/var/lib/hny.db"),
            ("sqlite:my links%20.db", "my links%20.db"),
        ] {
            assert_eq!(Database::parse(text), Ok(Database::Sqlite(path.into())), "{text}");
        }
    }

    #[test]
    fn what_is_no_file_is_refused_with_its_reason() {
        for (text, error) in [
            ("hny.db", DatabaseError::Scheme),
            ("mysql://host/db", DatabaseError::Scheme),
            ("SQLITE:hny.db", DatabaseError::Scheme),
            ("sqlite:", DatabaseError::NoFile),
            ("sqlite://", DatabaseError::NoFile),
            ("sqlite:data/", DatabaseError::NoFile),
            ("sqlite:file:hny.db", DatabaseError::NoFile),
            ("sqlite:a\0b", DatabaseError::NoFile),
            ("sqlite://hny.db", DatabaseError::Host),
            ("sqlite::memory:", DatabaseError::Memory),
            ("sqlite://:memory:", DatabaseError::Memory),
            ("sqlite:hny.db?mode=memory", DatabaseError::Memory),
            ("sqlite:hny.db?mode=ro", DatabaseError::Options),
        ] {
            assert_eq!(Database::parse(text), Err(error), "{text:?}");
        }
    }

    #[test]
    fn a_postgresql_url_is_checked() {
        for text in ["postgres://u:secret@host/db", "postgresql://one:5433,two/db?target_session_attrs=read-write"] {
            assert_eq!(Database::parse(text), Ok(Database::Postgres(PostgresUrl::parse(text).unwrap())), "{text}");
        }
        for (text, error) in [
            ("postgres:///db", PostgresUrlError::NoHost),
            ("postgres://u:secret@host/db?sslmode=maybe", PostgresUrlError::TlsMode),
            ("postgres://u:secret@host:door/db", PostgresUrlError::Malformed),
        ] {
            assert_eq!(Database::parse(text), Err(DatabaseError::Postgres(error)), "{text}");
        }
    }
}
