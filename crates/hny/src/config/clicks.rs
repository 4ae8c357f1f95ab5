//! Where clicks go, and where they wait before.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::database::Database;
use super::reader::Reader;
use super::units;
use super::value::ValueError;

/// Where clicks go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Clicks {
    /// They are counted beside the links.
    Store,
    /// A topic of Kafka.
    #[cfg(feature = "kafka")]
    Kafka(hny_clicks::KafkaAddress),
    /// Nowhere: none is recorded.
    Discard,
}

impl Clicks {
    pub(super) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        reader.required("clicks_url", Self::parse)
    }

    fn parse(text: &str) -> Result<Self, ValueError> {
        match text {
            "store:" => Ok(Self::Store),
            "discard:" => Ok(Self::Discard),
            _ if text.starts_with("kafka://") => Self::parse_kafka(text),
            _ => Err(ValueError::Clicks),
        }
    }

    #[cfg(feature = "kafka")]
    fn parse_kafka(text: &str) -> Result<Self, ValueError> {
        Ok(Self::Kafka(hny_clicks::KafkaAddress::parse(text)?))
    }

    #[cfg(not(feature = "kafka"))]
    fn parse_kafka(_: &str) -> Result<Self, ValueError> {
        Err(ValueError::Feature("kafka"))
    }
}

/// Where clicks wait until they are counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spool {
    /// The folder.
    pub folder: PathBuf,
    /// How many bytes they may take.
    pub limit: u64,
}

impl Spool {
    pub(super) fn read(reader: &mut Reader<'_>, database: Option<&Database>) -> Option<Self> {
        let folder = reader.or("spool_dir", Self::default_folder(database), parse_folder);
        let limit = reader.required("spool_limit", parse_limit);
        Some(Self { folder: folder?, limit: limit? })
    }

    /// `hny.db-spool` for `hny.db`, beside the file itself and not beside a link to it, as SQLite's own files are.
    fn default_folder(database: Option<&Database>) -> PathBuf {
        match database {
            Some(Database::Sqlite(path)) => beside(path),
            Some(Database::Postgres(_)) | None => "hny-spool".into(),
        }
    }
}

fn beside(file: &Path) -> PathBuf {
    let file = file.canonicalize().unwrap_or_else(|_| file.to_owned());
    let mut folder = OsString::from(file);
    folder.push("-spool");
    folder.into()
}

fn parse_folder(text: &str) -> Result<PathBuf, ValueError> {
    // A name with a line end or a blank at its end is one that nobody finds again.
    let is_plain = text.trim() == text && !text.contains(char::is_control);
    if is_plain { Ok(text.into()) } else { Err(ValueError::Folder) }
}

fn parse_limit(text: &str) -> Result<u64, ValueError> {
    let limit = units::parse_bytes(text)?;
    if limit < hny_clicks::LEAST_LIMIT { Err(ValueError::SpoolLimit) } else { Ok(limit) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clicks_wait_beside_the_file_or_here() {
        let folder = tempfile::TempDir::new().unwrap();
        let there = folder.path().canonicalize().unwrap();
        let (file, link) = (there.join("hny.db"), there.join("link.db"));
        assert_eq!(beside(&file), there.join("hny.db-spool"), "before the file is there");
        std::fs::write(&file, "").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        assert_eq!([beside(&file), beside(&link)], [(); 2].map(|()| there.join("hny.db-spool")));
        let of = |url: &str| Spool::default_folder(Database::parse(url).ok().as_ref());
        assert_eq!(of("postgres://hny@localhost/hny"), Path::new("hny-spool"));
        assert_eq!(of("sqlite:none.db"), Path::new("none.db-spool"));
    }

    #[test]
    fn a_spool_has_a_folder_and_room() {
        assert_eq!(parse_folder("/var/spool/my hny"), Ok("/var/spool/my hny".into()));
        assert_eq!((parse_folder(" "), parse_folder("spool\n")), (Err(ValueError::Folder), Err(ValueError::Folder)));
        assert_eq!((parse_limit("1MiB"), parse_limit("1GiB")), (Ok(1 << 20), Ok(1 << 30)));
        assert_eq!(
            (parse_limit("1048575"), parse_limit("0")),
            (Err(ValueError::SpoolLimit), Err(ValueError::SpoolLimit))
        );
        assert_eq!(parse_limit("1GB"), Err(ValueError::Bytes));
    }

    #[test]
    fn clicks_are_counted_or_discarded() {
        assert_eq!((Clicks::parse("store:"), Clicks::parse("discard:")), (Ok(Clicks::Store), Ok(Clicks::Discard)));
        for text in ["", "store", "discard", "STORE:", "store:x", "discard: ", "redis://cache", "kafka:broker/topic"] {
            assert_eq!(Clicks::parse(text), Err(ValueError::Clicks), "{text:?}");
        }
    }

    #[cfg(feature = "kafka")]
    #[test]
    fn clicks_go_to_kafka() {
        let address = hny_clicks::KafkaAddress::parse("kafka://me:secret@broker:9092/clicks").unwrap();
        assert_eq!(Clicks::parse("kafka://me:secret@broker:9092/clicks"), Ok(Clicks::Kafka(address)));
        assert!(matches!(Clicks::parse("kafka://broker"), Err(ValueError::Kafka(_))));
    }

    #[cfg(not(feature = "kafka"))]
    #[test]
    fn a_program_without_kafka_says_what_to_do() {
        let error = Clicks::parse("kafka://me:secret@broker:9092/clicks").unwrap_err().to_string();
        assert!(error.contains("--features kafka") && !error.contains("secret"), "{error}");
    }
}
