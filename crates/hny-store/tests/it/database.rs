//! The databases that the contract is held against, and what the tests put into them.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use hny_domain::{
    ApiKey, BaseUrl, Caller, Click, ClickId, Code, CodeOrigin, DomainId, Draft, Edit, EditInput, Grant, KeyId, Link,
    LinkId, Target, Timestamp, Traits, VisitKind, VisitorId,
};
use hny_store::{Insertion, NewKey, NewLink, PostgresUrl, Settings, SpoolId, SpoolStep, Store, StoreError, Terms};
use hny_testkit::Postgres;
use tempfile::TempDir;

/// A database of its own for one test.
pub(crate) enum Database {
    Sqlite(TempDir),
    Postgres(String),
}

impl Database {
    /// One in an SQLite file.
    pub(crate) fn sqlite() -> Self {
        Self::Sqlite(TempDir::new().unwrap())
    }

    /// One in the PostgreSQL server of these tests.
    pub(crate) fn postgres() -> Self {
        let server = server();
        Self::Postgres(server.url(&server.new_database()))
    }

    /// Opens it once more: two stores on one database know as little of each other as two processes.
    pub(crate) async fn store(&self) -> Store {
        Store::open(self.settings()).await.unwrap()
    }

    /// How many rows a table has.
    pub(crate) fn count(&self, table: &str) -> u64 {
        let sql = format!("SELECT count(*) FROM {table}");
        match self {
            Self::Sqlite(folder) => {
                let file = rusqlite::Connection::open(folder.path().join("hny.db")).unwrap();
                file.query_row(&sql, [], |row| row.get::<_, i64>(0)).unwrap().try_into().unwrap()
            }
            Self::Postgres(url) => server().run(database_in(url), &sql).parse().unwrap(),
        }
    }

    /// A domain beside that of the base URL.
    pub(crate) fn new_domain(&self, host: &str) -> DomainId {
        let id = DomainId(u32::try_from(self.count("domains")).unwrap());
        self.run(&format!("INSERT INTO domains (id, host) VALUES ({}, '{host}')", id.0));
        id
    }

    /// Does something to it that no version of this store does.
    pub(crate) fn run(&self, sql: &str) {
        match self {
            Self::Sqlite(folder) => {
                rusqlite::Connection::open(folder.path().join("hny.db")).unwrap().execute_batch(sql).unwrap();
            }
            Self::Postgres(url) => drop(server().run(database_in(url), sql)),
        }
    }

    fn settings(&self) -> Settings {
        match self {
            Self::Sqlite(folder) => Settings::Sqlite { path: folder.path().join("hny.db"), readers: 2 },
            Self::Postgres(url) => postgres(url),
        }
    }
}

/// The name of the database in a URL.
fn database_in(url: &str) -> &str {
    url.rsplit('/').next().and_then(|rest| rest.split('?').next()).unwrap()
}

/// The PostgreSQL server that tests share whose subject is not the server itself.
pub(crate) fn server() -> &'static Postgres {
    static SERVER: LazyLock<Postgres> = LazyLock::new(Postgres::start);
    &SERVER
}

/// The settings for the database at `url`.
pub(crate) fn postgres(url: &str) -> Settings {
    with_replicas(url, &[])
}

/// The settings for a database with replicas.
pub(crate) fn with_replicas(primary: &str, replicas: &[String]) -> Settings {
    let replicas = replicas.iter().map(|url| PostgresUrl::parse(url).unwrap()).collect();
    Settings::Postgres { primary: PostgresUrl::parse(primary).unwrap(), replicas, readers: 2 }
}

/// Runs each behaviour, an `async fn(Database)`, against each engine. (A behaviour that is not listed is dead code, which the
/// compiler reports.)
macro_rules! contract {
    ($($behaviour:ident),+ $(,)?) => {
        mod sqlite {
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $behaviour() {
                    super::$behaviour($crate::database::Database::sqlite()).await;
                }
            )+
        }

        mod postgres {
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $behaviour() {
                    super::$behaviour($crate::database::Database::postgres()).await;
                }
            )+
        }
    };
}
pub(crate) use contract;

pub(crate) const NOW: Timestamp = Timestamp::from_millis(1_900_000_000_000);
pub(crate) const LATER: Timestamp = Timestamp::from_millis(1_900_000_060_000);

pub(crate) fn code(text: &str) -> Code {
    Code::parse(text).unwrap()
}

pub(crate) fn draft(target: &str) -> Draft {
    Draft::plain(Target::parse(target).unwrap())
}

/// A primary key that no other link of these tests has.
fn next_id() -> LinkId {
    static LAST: AtomicI64 = AtomicI64::new(0);
    LinkId(LAST.fetch_add(1, Ordering::Relaxed) + 1)
}

/// A link with a custom code, made by the operator.
pub(crate) fn new_link(text: &str) -> NewLink {
    NewLink {
        id: next_id(),
        domain: DomainId::BASE,
        code: code(text),
        origin: CodeOrigin::Custom,
        draft: draft("https://example.com/"),
        caller: Caller::Operator,
        now: NOW,
        terms: Terms::default(),
    }
}

pub(crate) fn edit(input: EditInput<'_>) -> Edit {
    input.check(&BaseUrl::parse("https://hny.example").unwrap(), NOW).unwrap()
}

/// Makes a link whose code is free.
pub(crate) async fn insert(store: &Store, link: NewLink) -> Link {
    match store.insert_link(link).await.unwrap() {
        Insertion::Inserted(link) => link,
        other => panic!("the code should be free: {other:?}"),
    }
}

pub(crate) async fn insert_key(store: &Store, name: &str) -> ApiKey {
    let key =
        NewKey { name: name.to_owned(), grant: Grant::EVERYTHING, expires_at: None, secret_hash: [7; 32], now: NOW };
    store.insert_key(key).await.unwrap()
}

pub(crate) fn caller(id: KeyId) -> Caller {
    Caller::Key(id, Grant::EVERYTHING)
}

/// A spool that no other of these tests has.
pub(crate) fn new_spool() -> SpoolId {
    static LAST: AtomicU64 = AtomicU64::new(0);
    SpoolId(LAST.fetch_add(1, Ordering::Relaxed) + 1)
}

/// The step from the beginning of a spool up to `position`.
pub(crate) fn first_step(spool: SpoolId, position: u64) -> SpoolStep {
    SpoolStep { spool, from: 0, to: position }
}

/// A click by a person of whom nothing is known. No other click of these tests has its number.
pub(crate) fn click(link: LinkId, at: Timestamp) -> Click {
    static LAST: AtomicU64 = AtomicU64::new(0);
    let id = ClickId(LAST.fetch_add(1, Ordering::Relaxed) + 1);
    Click { id, link, at, kind: VisitKind::Person, visitor: None, traits: Traits::default() }
}

/// Such a click by a visitor.
pub(crate) fn click_by(visitor: u64, link: LinkId, at: Timestamp) -> Click {
    Click { visitor: Some(VisitorId(visitor)), ..click(link, at) }
}

/// As many clicks.
pub(crate) fn clicks(link: LinkId, count: usize) -> Vec<Click> {
    (0..count).map(|_| click(link, NOW)).collect()
}

/// Takes clicks that are a spool of their own.
pub(crate) async fn take(store: &Store, clicks: Vec<Click>) -> Result<(), StoreError> {
    let spool = new_spool();
    store.open_spool(spool).await?;
    assert!(store.take_clicks(clicks, first_step(spool, 1)).await?, "nobody else has this spool");
    Ok(())
}

pub(crate) async fn delete(store: &Store, code: &Code) {
    assert!(store.delete_link(DomainId::BASE, code, Caller::Operator, NOW).await.unwrap().is_some());
}
