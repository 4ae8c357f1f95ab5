//! The PostgreSQL side.
//!
//! Lookups share a few connections, on which questions are sent one behind the other; replicas are asked first. New links go through one writer, which
//! makes many in one transaction; other changes are made one after the other on a connection of their own. A poll finds out what
//! other processes changed. Every connection is made anew when it breaks, and every wait has an end.

mod abuse;
mod blocks;
mod change;
mod claims;
mod clicks;
mod domains;
mod failure;
mod generation;
mod homes;
mod insert;
mod intake;
mod key;
mod lease;
mod line;
mod link;
mod list;
mod migrations;
mod news;
mod opening;
mod poll;
mod ranking;
mod readers;
mod receipt;
mod replicas;
mod retention;
mod row;
mod server;
mod session;
mod spool;
mod statistics;
mod tally;
mod tasks;
mod tls;
mod visitor_key;
mod writer;

use std::future::Future;
use std::sync::Arc;

use tokio::runtime::Handle;
use tokio::sync::Mutex;

use crate::listeners::Listeners;
use crate::seen_generation::SeenGeneration;
use crate::{OpenError, PostgresUrl, StoreError};
use claims::Claims;
use failure::Failure;
use line::Line;
use news::News;
use poll::Poll;
use ranking::Ranking;
use readers::Readers;
use replicas::Replicas;
use server::Server;
use tasks::Tasks;
use writer::Writer;

/// An open PostgreSQL database, with its connections.
#[derive(Debug)]
pub(crate) struct Postgres {
    /// Callers may have none, as the thread that counts clicks.
    runtime: Handle,
    tasks: Tasks,
    readers: Readers,
    replicas: Replicas,
    writer: Writer,
    /// Whoever changes something has the connection alone until the end of the transaction.
    changes: Arc<Mutex<Line>>,
    /// As whoever stores or removes clicks: nobody who changes a link waits for some thousand of these.
    counting: Arc<Mutex<Line>>,
    /// As whoever claims a click, and waits until that is durable.
    claims: Claims,
    /// As whoever asks for statistics, which may take seconds.
    statistics: Arc<Mutex<Line>>,
    /// As whoever lists links.
    lists: Line,
    ranking: Ranking,
    news: News,
    generation: Arc<SeenGeneration>,
}

impl Postgres {
    pub(crate) async fn open(
        primary: PostgresUrl,
        replicas: Vec<PostgresUrl>,
        readers: usize,
    ) -> Result<Self, OpenError> {
        let server = server(primary)?;
        let replicas = replicas.into_iter().map(self::server).collect::<Result<Vec<_>, _>>()?;
        let away = match opening::prepare(&server).await {
            Err(error) if replicas.is_empty() || !opening::may_pass(&error) => return Err(error),
            prepared => prepared.err(),
        };
        let tasks = Tasks::default();
        let line = || Line::start(Arc::clone(&server), &tasks);
        let (news, generation) = (News::default(), Arc::<SeenGeneration>::default());
        let replicas = Replicas::start(replicas, readers, &news, &tasks);
        let watched = (line(), news.clone(), Arc::clone(&generation));
        match poll(&server, away, &replicas, watched, &tasks).await {
            Ok(poll) => poll.keep(&tasks),
            Err(error) => {
                tasks.end().await;
                return Err(error);
            }
        }
        Ok(Self {
            runtime: Handle::current(),
            readers: Readers::start(&server, readers, &tasks),
            replicas,
            writer: Writer::start(line(), news.clone(), &tasks),
            changes: Arc::new(Mutex::new(line())),
            counting: Arc::new(Mutex::new(line())),
            claims: Claims::start(&server, &tasks),
            statistics: Arc::new(Mutex::new(line())),
            lists: line(),
            ranking: Ranking::start(line(), &tasks),
            tasks,
            news,
            generation,
        })
    }

    pub(crate) async fn ping(&self) -> Result<(), StoreError> {
        let is_closed = self.tasks.closing.is_cancelled();
        if is_closed || !self.replicas.is_any_good() {
            self.readers.ask("SELECT FROM sequence", &[]).await?;
        }
        Ok(())
    }

    pub(crate) async fn close(&self) {
        self.tasks.end().await;
    }

    pub(crate) fn listeners(&self) -> &Listeners {
        &self.news.listeners
    }

    pub(crate) fn generation(&self) -> &SeenGeneration {
        &self.generation
    }

    /// Does something to its end, though nobody may wait for it any more.
    async fn run<T: Send + 'static>(
        &self,
        work: impl Future<Output = Result<T, Failure>> + Send + 'static,
    ) -> Result<T, StoreError> {
        if self.tasks.closing.is_cancelled() {
            return Err(Failure::Closed.into());
        }
        match self.tasks.work.spawn_on(work, &self.runtime).await {
            Ok(result) => Ok(result?),
            Err(error) if error.is_panic() => Err(StoreError::Broken(Arc::new(error))),
            // The runtime has ended.
            Err(error) => Err(StoreError::Unavailable(Arc::new(error))),
        }
    }
}

/// The poll of a primary that was prepared, or of one that is `away` and prepared later, if a replica is there.
async fn poll(
    server: &Arc<Server>,
    away: Option<OpenError>,
    replicas: &Replicas,
    (line, news, generation): (Line, News, Arc<SeenGeneration>),
    tasks: &Tasks,
) -> Result<Poll, OpenError> {
    let Some(error) = away else {
        let unreachable = |source| OpenError::Unreachable { database: server.to_string(), source: Arc::new(source) };
        return Poll::start(line, news, generation).await.map_err(unreachable);
    };
    let Some(applied) = replicas.newest().await else { return Err(error) };
    opening::keep_trying(server, &error, tasks);
    Ok(Poll::behind(applied, line, news, generation))
}

fn server(url: PostgresUrl) -> Result<Arc<Server>, OpenError> {
    let database = url.to_string();
    Server::new(url).map(Arc::new).map_err(|source| OpenError::Tls { database, source: Arc::new(source) })
}
