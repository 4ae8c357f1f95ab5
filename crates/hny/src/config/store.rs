//! Where links are kept.

use super::database::Database;
use super::reader::Reader;
use super::units;

/// Where links are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Store {
    /// The database.
    pub database: Database,
    /// How much memory the links kept at hand may take, in bytes. Zero keeps none.
    pub cache_bytes: u64,
}

impl Store {
    pub(super) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let database = reader.required("database_url", |text| Ok(Database::parse(text)?));
        let cache_bytes = reader.required("cache_bytes", units::parse_bytes);
        Some(Self { database: database?, cache_bytes: cache_bytes? })
    }
}
