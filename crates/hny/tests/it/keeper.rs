//! A database that a program and a test share, so that the test can say when and by whom a link was followed.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use hny_domain::{Click, ClickId, Code, DomainId, LinkId, Timestamp, Traits, VisitKind, VisitorId};
use hny_store::{PostgresUrl, Settings, SpoolId, SpoolStep, Store};
use hny_testkit::Program;
use serde_json::json;
use tokio::runtime::{Builder, Runtime};

use crate::site::{Site, program};
use crate::{caller::Caller, postgres};

/// The spool from which the clicks seem to come.
const SPOOL: SpoolId = SpoolId(7);

/// How many clicks are handed over at a time.
const AT_ONCE: usize = 2_000;

/// A running program, and its database.
pub(crate) struct Keeper {
    pub(crate) site: Site,
    database: Database,
    store: Store,
    runtime: Runtime,
    taken: AtomicU64,
}

/// Where it is.
enum Database {
    Sqlite(PathBuf),
    Postgres(String),
}

impl Keeper {
    /// On a file of SQLite.
    pub(crate) fn on_sqlite() -> Self {
        Self::on_file_of(&program())
    }

    /// On a file of SQLite, with one setting that differs.
    pub(crate) fn with(name: &str, value: &str) -> Self {
        Self::with_all(&[(name, value)])
    }

    /// On a file of SQLite, with these settings.
    pub(crate) fn with_all(settings: &[(&str, &str)]) -> Self {
        Self::on_file_of(&settings.iter().fold(program(), |program, (name, value)| program.env(name, value)))
    }

    fn on_file_of(program: &Program) -> Self {
        let path = program.database();
        Self::open(program, Database::Sqlite(path.clone()), Settings::Sqlite { path, readers: 1 })
    }

    /// On a database of PostgreSQL.
    pub(crate) fn on_postgres() -> Self {
        Self::on_postgres_database(&postgres::server().new_database())
    }

    /// On this one.
    pub(crate) fn on_postgres_database(database: &str) -> Self {
        Self::on_database_of(&postgres::program_on(database), database)
    }

    fn on_database_of(program: &Program, database: &str) -> Self {
        let primary = PostgresUrl::parse(&postgres::server().url(database)).unwrap();
        let settings = Settings::Postgres { primary, replicas: Vec::new(), readers: 1 };
        Self::open(program, Database::Postgres(database.to_owned()), settings)
    }

    fn open(program: &Program, database: Database, settings: Settings) -> Self {
        let site = Site::start(program);
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let store = runtime.block_on(Store::open(settings)).unwrap();
        runtime.block_on(store.open_spool(SPOOL)).unwrap();
        Self { site, database, store, runtime, taken: AtomicU64::new(0) }
    }

    /// The database itself.
    pub(crate) fn store(&self) -> &Store {
        &self.store
    }

    /// Has something done that is not of this database alone.
    pub(crate) fn wait_for<T>(&self, work: impl Future<Output = T>) -> T {
        self.runtime.block_on(work)
    }

    /// Does the same on both, with these settings.
    pub(crate) fn on_both_with(settings: &[(&str, &str)], test: impl Fn(&Self)) {
        test(&Self::with_all(settings));
        test(&Self::on_postgres_with(settings));
    }

    /// On a database of PostgreSQL, with these settings.
    pub(crate) fn on_postgres_with(settings: &[(&str, &str)]) -> Self {
        let database = postgres::server().new_database();
        let program = postgres::program_on(&database);
        let program = settings.iter().fold(program, |program, (name, value)| program.env(name, value));
        Self::on_database_of(&program, &database)
    }

    /// Does the same on both.
    pub(crate) fn on_both(test: impl Fn(&Self)) {
        test(&Self::on_sqlite());
        test(&Self::on_postgres());
    }

    pub(crate) fn admin(&self) -> Caller {
        self.site.admin()
    }

    /// Changes rows as no caller can.
    pub(crate) fn run(&self, sql: &str) {
        match &self.database {
            Database::Sqlite(path) => rusqlite::Connection::open(path).unwrap().execute_batch(sql).unwrap(),
            Database::Postgres(name) => drop(postgres::server().run(name, sql)),
        }
    }

    /// A new link: its path, and its clicks to be.
    pub(crate) fn link(&self) -> (String, Clicks) {
        let path = self.admin().link(&json!({"originalUrl": "https://example.com/page"}));
        let clicks = self.clicks_of(DomainId::BASE, &path);
        (path, clicks)
    }

    /// The clicks to be of the link with this path on a domain.
    pub(crate) fn clicks_of(&self, domain: DomainId, path: &str) -> Clicks {
        let code = Code::parse(&path[1..]).unwrap();
        let link = self.runtime.block_on(self.store.find_link(domain, &code)).unwrap().unwrap();
        Clicks { link: link.id, all: Vec::new() }
    }

    /// Has clicks counted.
    pub(crate) fn take(&self, clicks: Clicks) {
        let mut rest = clicks.all.into_iter().peekable();
        while rest.peek().is_some() {
            let part: Vec<_> = rest.by_ref().take(AT_ONCE).collect();
            let from = self.taken.fetch_add(part.len() as u64, Ordering::SeqCst);
            let step = SpoolStep { spool: SPOOL, from, to: from + part.len() as u64 };
            assert!(self.runtime.block_on(self.store.take_clicks(part, step)).unwrap());
        }
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        self.runtime.block_on(self.store.close());
    }
}

/// Clicks of a link.
pub(crate) struct Clicks {
    link: LinkId,
    pub(crate) all: Vec<Click>,
}

impl Clicks {
    /// One more by a person about whom nothing but its number is known.
    pub(crate) fn person(self, at: &str, visitor: u64) -> Self {
        self.add(at, VisitKind::Person, Some(visitor), Traits::default())
    }

    /// One more by something else.
    pub(crate) fn other(self, at: &str, kind: VisitKind) -> Self {
        self.add(at, kind, None, Traits::default())
    }

    /// One more by a person of whom this is known.
    pub(crate) fn known(self, at: &str, visitor: u64, traits: Traits) -> Self {
        self.add(at, VisitKind::Person, Some(visitor), traits)
    }

    fn add(mut self, at: &str, kind: VisitKind, visitor: Option<u64>, traits: Traits) -> Self {
        let at = Timestamp::parse(at).unwrap();
        // Numbers in another order than times.
        let id = ClickId(u64::MAX - self.all.len() as u64);
        self.all.push(Click { id, link: self.link, at, kind, visitor: visitor.map(VisitorId), traits });
        self
    }
}

/// Traits of which only the referrer is known.
pub(crate) fn referred(referrer: &str) -> Traits {
    Traits { referrer: Some(Arc::from(referrer)), ..Traits::default() }
}
