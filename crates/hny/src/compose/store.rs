//! The database of the settings, opened.

use hny_store::{PostgresUrl, Settings, Store};

use super::ComposeError;
use crate::config::{self, Database};

/// Opens the database that the settings name, for a service.
pub async fn open_store(settings: &config::Store, readers: usize) -> Result<Store, ComposeError> {
    open(settings, settings.replicas.clone(), readers).await
}

/// Opens the database that the settings name, for one command, which nothing but the primary can serve.
pub async fn open_store_for_command(settings: &config::Store) -> Result<Store, ComposeError> {
    open(settings, Vec::new(), 1).await
}

async fn open(settings: &config::Store, replicas: Vec<PostgresUrl>, readers: usize) -> Result<Store, ComposeError> {
    Ok(Store::open(match &settings.database {
        Database::Sqlite(path) => Settings::Sqlite { path: path.clone(), readers },
        Database::Postgres(primary) => Settings::Postgres { primary: primary.clone(), replicas, readers },
    })
    .await?)
}

/// Opens the database that the settings name, for one command; it must be there.
pub async fn open_existing_store(settings: &config::Store) -> Result<Store, ComposeError> {
    if let Database::Sqlite(path) = &settings.database
        && !path.exists()
    {
        return Err(ComposeError::NoDatabase(path.clone()));
    }
    open_store_for_command(settings).await
}
