//! Where links are kept.

use hny_store::PostgresUrl;

use super::database::{self, Database, DatabaseError};
use super::reader::Reader;
use super::units;

/// Where links are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Store {
    /// The database.
    pub database: Database,
    /// Replicas of it, which look up links.
    pub replicas: Vec<PostgresUrl>,
    /// How much memory the links kept at hand may take, in bytes. Zero keeps none.
    pub cache_bytes: u64,
}

impl Store {
    pub(super) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let database = reader.required("database_url", |text| Ok(Database::parse(text)?));
        let replicas = reader.or("replica_urls", Vec::new(), |text| Ok(database::parse_replicas(text)?));
        if let (Some(Database::Sqlite(_)), Some([_, ..])) = (&database, replicas.as_deref()) {
            reader.refuse("replica_urls", DatabaseError::ReplicasOfFile.into());
        }
        let cache_bytes = reader.required("cache_bytes", units::parse_bytes);
        Some(Self { database: database?, replicas: replicas?, cache_bytes: cache_bytes? })
    }
}
