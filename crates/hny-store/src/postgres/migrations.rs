//! Brings the tables to what this version needs.
//!
//! Files are `migrations/postgres/V<number>__<what>.sql`. A file that was released is never edited: the next change is the next
//! number. Old and new versions of the program run side by side, so first expand, then contract in a later release.
//!
//! Everything that is missing is applied in one transaction, which holds an advisory lock: of ten nodes that start at once, one
//! migrates and the others find nothing missing. Lock and transaction end together, also behind a pooler such as pgbouncer.

use refinery::Migration;
use tokio_postgres::{Client, Error};

refinery::embed_migrations!("migrations/postgres");

/// "hny" and "mig" in ASCII: nobody else's advisory lock has this number.
const LOCK: i64 = 0x0068_6e79_006d_6967;

const HISTORY: &str = "
    CREATE TABLE IF NOT EXISTS hny_migrations (
        version    integer     PRIMARY KEY,
        name       text        NOT NULL,
        applied_at timestamptz NOT NULL DEFAULT now()
    )";

/// Applies what is missing. A newer version may have been here; what it added does not disturb us.
pub(super) async fn migrate(client: &Client) -> Result<(), Error> {
    client.batch_execute("BEGIN").await?;
    // After an error the caller closes the connection, which rolls everything back.
    lock(client).await?;
    // Asked first: where nothing is missing, no right to make tables is needed.
    if !has_history(client).await? {
        client.batch_execute(HISTORY).await?;
    }
    let applied = applied(client).await?;
    // They come by their names, of which V10 is before V2.
    let runner = migrations::runner();
    let mut migrations: Vec<_> = runner.get_migrations().iter().collect();
    migrations.sort_unstable_by_key(|migration| migration.version());
    for migration in migrations {
        if !applied.contains(&migration.version()) {
            apply(client, migration).await?;
        }
    }
    client.batch_execute("COMMIT").await
}

/// Waits until no other process migrates this database.
async fn lock(client: &Client) -> Result<(), Error> {
    let is_free: bool = client.query_one("SELECT pg_try_advisory_xact_lock($1)", &[&LOCK]).await?.get(0);
    if !is_free {
        tracing::info!("waiting for another process that migrates the database");
        client.execute("SELECT pg_advisory_xact_lock($1)", &[&LOCK]).await?;
    }
    Ok(())
}

async fn has_history(client: &Client) -> Result<bool, Error> {
    Ok(client.query_one("SELECT to_regclass('hny_migrations') IS NOT NULL", &[]).await?.get(0))
}

async fn applied(client: &Client) -> Result<Vec<i32>, Error> {
    let rows = client.query("SELECT version FROM hny_migrations", &[]).await?;
    Ok(rows.iter().map(|row| row.get(0)).collect())
}

async fn apply(client: &Client, migration: &Migration) -> Result<(), Error> {
    client.batch_execute(migration.sql().unwrap_or_default()).await?;
    let note = "INSERT INTO hny_migrations (version, name) VALUES ($1, $2)";
    client.execute(note, &[&migration.version(), &migration.name()]).await?;
    tracing::info!(version = migration.version(), name = migration.name(), "migrated the database");
    Ok(())
}
