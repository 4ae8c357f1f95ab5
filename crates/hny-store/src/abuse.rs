//! The contract for reports of abuse.

use hny_domain::{Abuse, AbuseId, AbuseReport, Code, DomainId, KeyId, LinkId, Timestamp};

use crate::store::Engine;
use crate::{Store, StoreError};

/// As many reports of one link are open at most: more say nothing new, and nobody shall fill the disk by them.
pub(crate) const MOST_OPEN: u32 = 50;

/// A report to be kept.
#[derive(Debug, Clone)]
pub struct NewAbuseReport {
    /// Which link it is about.
    pub link: LinkId,
    /// The domain of the link.
    pub domain: DomainId,
    /// The code of the link.
    pub code: Code,
    /// What is wrong.
    pub abuse: Abuse,
    /// A name of the client, for this day. No address.
    pub reporter: String,
    /// When it came.
    pub now: Timestamp,
}

impl Store {
    /// Keeps a report; `false` when that is not needed, because the same reporter has an open one of this link, or there are 50.
    pub async fn insert_abuse_report(&self, report: NewAbuseReport) -> Result<bool, StoreError> {
        match self.engine() {
            Engine::Sqlite(sqlite) => sqlite.insert_abuse_report(report).await,
            Engine::Postgres(postgres) => postgres.insert_abuse_report(report).await,
        }
    }

    /// At most `limit` reports, the latest first, of those before `before`; only open ones, or only resolved ones, where
    /// `is_open` says so.
    pub async fn list_abuse_reports(
        &self,
        is_open: Option<bool>,
        before: Option<AbuseId>,
        limit: u32,
    ) -> Result<Vec<AbuseReport>, StoreError> {
        let before = before.unwrap_or(AbuseId(i64::MAX));
        match self.engine() {
            Engine::Sqlite(sqlite) => sqlite.list_abuse_reports(is_open, before, limit).await,
            Engine::Postgres(postgres) => postgres.list_abuse_reports(is_open, before, limit).await,
        }
    }

    /// Notes that somebody has dealt with a report, and returns it; `None` when there is none with this number. One that was
    /// dealt with before stays as it is.
    pub async fn resolve_abuse_report(
        &self,
        id: AbuseId,
        by: Option<KeyId>,
        now: Timestamp,
    ) -> Result<Option<AbuseReport>, StoreError> {
        match self.engine() {
            Engine::Sqlite(sqlite) => sqlite.resolve_abuse_report(id, by, now).await,
            Engine::Postgres(postgres) => postgres.resolve_abuse_report(id, by, now).await,
        }
    }
}
