//! Clicks in ClickHouse: one table of them, and tables that views fill from it with each block. All SQL for it is in this room.

mod address;
mod block;
mod error;
mod migrations;
mod removal;
mod row;
mod statistics;

use std::fmt;
use std::time::Duration;

use ::clickhouse::Client;
use ::clickhouse::query::Query;
use hny_store::DatabaseId;
use tokio::time::timeout;

pub use address::{Address, AddressError};
pub use block::{Block, LARGEST_BLOCK};
pub use error::ClickHouseError;

/// How long anything may take. Who asked has given up by then.
const LIMIT: Duration = Duration::from_secs(30);

/// Clicks in ClickHouse. Cheap to clone.
#[derive(Clone)]
pub struct ClickHouse {
    client: Client,
}

/// Not where it is, nor with which password.
impl fmt::Debug for ClickHouse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ClickHouse")
    }
}

impl ClickHouse {
    /// The one at an address. Nothing is asked of it yet.
    pub fn at(address: &Address) -> Self {
        let client = Client::default().with_url(&address.url).with_database(&address.database);
        let client = client.with_user(&address.user).with_password(&address.password);
        Self { client }
    }

    /// Brings its tables to what this version needs, and has them keep clicks for this long, in whole days (`None`: for ever). Several processes may do so at once,
    /// and a newer version than this one may have been there before.
    pub async fn migrate(&self, keep: Option<Duration>) -> Result<(), ClickHouseError> {
        migrations::run(self).await?;
        migrations::keep(self, keep).await
    }

    /// Makes it the place for the clicks on the links of this database, unless it is that of another one.
    pub async fn claim(&self, database: DatabaseId) -> Result<(), ClickHouseError> {
        migrations::claim(self, database).await
    }

    async fn execute(&self, sql: &str) -> Result<(), ClickHouseError> {
        in_time(self.client.query(sql).execute()).await
    }

    fn query(&self, sql: &str) -> Query {
        self.client.query(sql)
    }
}

/// What it answers, unless it takes too long.
async fn in_time<T>(work: impl Future<Output = Result<T, ::clickhouse::error::Error>>) -> Result<T, ClickHouseError> {
    match timeout(LIMIT, work).await {
        Ok(answer) => Ok(answer?),
        Err(_) => Err(ClickHouseError::Late(LIMIT)),
    }
}
