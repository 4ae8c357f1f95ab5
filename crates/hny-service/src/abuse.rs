//! The verbs on reports of abuse.

use hny_domain::{Abuse, AbuseId, AbuseReport, Caller, Clock, Link};
use hny_store::{NewAbuseReport, Store};

use crate::error::Error;
use crate::randomness::Randomness;

/// How many milliseconds a day has.
const DAY: i64 = 86_400_000;

/// Keeps reports of abuse, lists them, and notes that they were dealt with. Cheap to clone.
#[derive(Debug, Clone)]
pub struct AbuseReports {
    store: Store,
    clock: Clock,
    randomness: Randomness,
}

/// Which reports are asked for.
#[derive(Debug, Clone, Copy, Default)]
pub struct AbusePage {
    /// Only those that are open, or only those that are not.
    pub is_open: Option<bool>,
    /// Only those before this one.
    pub before: Option<AbuseId>,
    /// How many at most.
    pub limit: u32,
}

impl AbuseReports {
    /// The verbs over `store`.
    pub fn new(store: Store, clock: Clock, randomness: Randomness) -> Self {
        Self { store, clock, randomness }
    }

    /// Keeps a report of a link, unless enough of it is known already. `name` gives the reporter a name under the key of the day,
    /// which is destroyed a day after.
    pub async fn report(&self, link: &Link, abuse: Abuse, name: impl FnOnce([u8; 32]) -> String) -> Result<(), Error> {
        let now = self.clock.now();
        let key = self.store.visitor_key(now.as_millis().div_euclid(DAY), self.randomness.bytes()).await?;
        let report = NewAbuseReport {
            link: link.id,
            domain: link.domain,
            code: link.code.clone(),
            abuse,
            reporter: name(key),
            now,
        };
        self.store.insert_abuse_report(report).await?;
        Ok(())
    }

    /// The reports on this page, the latest first; for admins.
    pub async fn list(&self, caller: Caller, page: AbusePage) -> Result<Vec<AbuseReport>, Error> {
        for_admins(caller)?;
        Ok(self.store.list_abuse_reports(page.is_open, page.before, page.limit).await?)
    }

    /// Notes that a report was dealt with, and returns it; for admins.
    pub async fn resolve(&self, caller: Caller, id: AbuseId) -> Result<AbuseReport, Error> {
        for_admins(caller)?;
        let resolved = self.store.resolve_abuse_report(id, caller.owner(), self.clock.now()).await?;
        resolved.ok_or(Error::ReportNotFound)
    }
}

/// Reports are about links of all owners and domains.
fn for_admins(caller: Caller) -> Result<(), Error> {
    match caller {
        Caller::Anonymous => Err(Error::KeyNeeded(Vec::new())),
        caller if caller.is_admin() => Ok(()),
        _ => Err(Error::NotAllowed),
    }
}
