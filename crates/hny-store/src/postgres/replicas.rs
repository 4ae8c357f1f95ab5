//! The replicas: they look up links as long as what they have is new enough.
//!
//! A replica has applied all changes up to a version and none behind it. What it says of a link is believed only if no newer change
//! of that link is known here; whatever it does not have, the primary is asked for. So a replica may lag as it likes.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use hny_domain::{Code, DomainId, Version};
use tokio::time::{MissedTickBehavior, interval, timeout};
use tokio_postgres::Row;

use super::failure::Failure;
use super::link;
use super::news::News;
use super::readers::Readers;
use super::row::{self, lead_columns};
use super::server::Server;
use super::tasks::Tasks;

/// How long a replica is waited for before the primary is asked, too.
const PATIENCE: Duration = Duration::from_millis(100);

/// Between two looks at a replica.
const INTERVAL: Duration = Duration::from_millis(500);

/// The columns of a lead, all NULL when there is no such link, and behind them the version that the replica has applied: both of one
/// moment.
const LEAD: &str = concat!(
    "SELECT l.*, s.version FROM sequence s LEFT JOIN (SELECT ",
    lead_columns!(),
    ", NULL::bigint FROM links WHERE domain = $1 AND code = $2 AND deleted_at IS NULL) l ON true"
);

/// The replicas of a store.
#[derive(Debug)]
pub(super) struct Replicas {
    all: Vec<Arc<Replica>>,
    next: AtomicUsize,
    news: News,
}

#[derive(Debug)]
struct Replica {
    server: Arc<Server>,
    readers: Readers,
    /// Whether it answered when it was last asked, in time, and with what is new enough.
    is_good: AtomicBool,
    /// Whether the log has said so, or that it did not: before the first look nothing is certain.
    is_known: AtomicBool,
}

/// What a replica has.
enum Answer {
    /// The link, and nothing newer is known of it.
    Link(Row),
    /// Nothing, or nothing that can be believed.
    Nothing,
}

impl Replicas {
    pub(super) fn start(servers: Vec<Arc<Server>>, readers: usize, news: &News, tasks: &Tasks) -> Self {
        let start = |server: Arc<Server>| {
            // It is as its primary has made it.
            server.set_ready();
            let readers = Readers::start(&server, readers, tasks);
            let replica =
                Arc::new(Replica { server, readers, is_good: AtomicBool::default(), is_known: AtomicBool::default() });
            watch(Arc::clone(&replica), news.clone(), tasks);
            replica
        };
        Self { all: servers.into_iter().map(start).collect(), next: AtomicUsize::new(0), news: news.clone() }
    }

    /// Whether a replica can be asked.
    pub(super) fn is_any_good(&self) -> bool {
        self.all.iter().any(|replica| replica.is_good())
    }

    /// The newest version that one of them has applied; `None` if none of them answers.
    pub(super) async fn newest(&self) -> Option<Version> {
        let mut newest = None;
        for replica in &self.all {
            newest = newest.max(replica.applied().await.ok().flatten());
        }
        newest
    }

    /// The rows that answer a question about what never changes, of the first that has some.
    pub(super) async fn ask_any(&self, sql: &'static str) -> Option<Vec<Row>> {
        for replica in &self.all {
            if let Ok(rows) = replica.readers.ask(sql, &[]).await
                && !rows.is_empty()
            {
                return Some(rows);
            }
        }
        None
    }

    /// What a visit needs of a link, from a replica or from the primary, which `ask_primary` asks. An error is that of the primary.
    pub(super) async fn find_lead(
        &self,
        domain: DomainId,
        code: &Code,
        ask_primary: impl Future<Output = Result<Option<Row>, Failure>>,
    ) -> Result<Option<Row>, Failure> {
        let Some(first) = self.choose() else {
            return ask_primary.await;
        };
        match self.find_at_one(first, domain, code, ask_primary).await {
            Err(failure) => match self.find_at_others(first, domain, code).await {
                Some(row) => Ok(Some(row)),
                None => Err(failure),
            },
            found => found,
        }
    }

    /// Asks one replica, and the primary when that has nothing, or is slow.
    async fn find_at_one(
        &self,
        replica: &Replica,
        domain: DomainId,
        code: &Code,
        ask_primary: impl Future<Output = Result<Option<Row>, Failure>>,
    ) -> Result<Option<Row>, Failure> {
        let (mut asked, mut ask_primary) = (pin!(self.ask(replica, domain, code)), pin!(ask_primary));
        match timeout(PATIENCE, &mut asked).await {
            Ok(Answer::Link(row)) => Ok(Some(row)),
            Ok(Answer::Nothing) => ask_primary.await,
            Err(_) => {
                replica.leave_out("it is slow");
                tokio::select! {
                    biased;
                    answer = &mut asked => match answer {
                        Answer::Link(row) => Ok(Some(row)),
                        Answer::Nothing => ask_primary.await,
                    },
                    found = &mut ask_primary => found,
                }
            }
        }
    }

    /// Asks the other replicas, when the primary does not answer.
    async fn find_at_others(&self, first: &Replica, domain: DomainId, code: &Code) -> Option<Row> {
        for replica in self.all.iter().filter(|other| other.is_good() && !std::ptr::eq(Arc::as_ptr(other), first)) {
            if let Answer::Link(row) = self.ask(replica, domain, code).await {
                return Some(row);
            }
        }
        None
    }

    /// A good one, in turn.
    fn choose(&self) -> Option<&Replica> {
        let count = self.all.len();
        let turn = self.next.fetch_add(1, Ordering::Relaxed);
        let mut in_turn = (0..count).map(|step| &*self.all[turn.wrapping_add(step) % count]);
        in_turn.find(|replica| replica.is_good())
    }

    async fn ask(&self, replica: &Replica, domain: DomainId, code: &Code) -> Answer {
        match replica.readers.ask(LEAD, &[&link::id(domain), &code.as_str()]).await {
            Ok(rows) => self.judge(rows, domain, code).unwrap_or(Answer::Nothing),
            Err(Failure::Closed) => Answer::Nothing,
            Err(failure) => {
                replica.leave_out(&failure.to_string());
                Answer::Nothing
            }
        }
    }

    /// After the answer, so that whatever became known meanwhile counts.
    fn judge(&self, rows: Vec<Row>, domain: DomainId, code: &Code) -> Result<Answer, Failure> {
        let Some(found) = rows.into_iter().next() else { return Ok(Answer::Nothing) };
        let applied = row::version(&found, found.len() - 1)?;
        let is_link = row::get::<Option<i64>>(&found, 0)?.is_some();
        let is_new_enough = applied >= self.news.listeners.known().of(domain, code);
        Ok(if is_link && is_new_enough { Answer::Link(found) } else { Answer::Nothing })
    }
}

impl Replica {
    fn is_good(&self) -> bool {
        self.is_good.load(Ordering::Relaxed)
    }

    fn leave_out(&self, reason: &str) {
        let was_known = self.is_known.swap(true, Ordering::Relaxed);
        if self.is_good.swap(false, Ordering::Relaxed) || !was_known {
            tracing::warn!(replica = %self.server, reason, "a replica is left out until it answers well again");
        }
    }

    fn let_in(&self) {
        self.is_known.store(true, Ordering::Relaxed);
        if !self.is_good.swap(true, Ordering::Relaxed) {
            tracing::info!(replica = %self.server, "a replica looks up links");
        }
    }

    /// The version up to which it has applied all changes, if it says one.
    async fn applied(&self) -> Result<Option<Version>, Failure> {
        let rows = self.readers.ask("SELECT version FROM sequence", &[]).await?;
        Ok(rows.first().and_then(|row| row::version(row, 0).ok()))
    }

    /// Asks how far it is.
    async fn look(&self, news: &News) {
        match timeout(PATIENCE, self.applied()).await {
            Err(_) => self.leave_out("it is slow"),
            Ok(Err(Failure::Closed)) => {}
            Ok(Err(failure)) => self.leave_out(&failure.to_string()),
            Ok(Ok(Some(applied))) if applied >= news.listeners.known().floor() => self.let_in(),
            Ok(Ok(_)) => self.leave_out("it is far behind"),
        }
    }
}

/// Looks at a replica again and again until the store is closed.
fn watch(replica: Arc<Replica>, news: News, tasks: &Tasks) {
    let closed = tasks.closed.clone();
    tasks.background.spawn(async move {
        let mut times = interval(INTERVAL);
        times.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                _ = times.tick() => {}
                () = closed.cancelled() => return,
            }
            replica.look(&news).await;
        }
    });
}
