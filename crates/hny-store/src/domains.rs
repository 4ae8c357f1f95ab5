//! The contract for domains: which number each has in this database.

use hny_domain::DomainId;

use crate::store::Engine;
use crate::{Store, StoreError};

impl Store {
    /// The numbers of the domains with these hosts, in their order. A host that the database does not know gets the next; none
    /// ever gets another.
    ///
    /// While the primary is away a replica will do, if it knows them all.
    pub async fn number_domains(&self, hosts: Vec<String>) -> Result<Vec<DomainId>, StoreError> {
        match self.engine() {
            Engine::Sqlite(sqlite) => sqlite.number_domains(hosts).await,
            Engine::Postgres(postgres) => postgres.number_domains(hosts).await,
        }
    }
}
