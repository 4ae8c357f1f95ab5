//! One connection, shared by all who have something to ask: questions are sent one behind the other and nobody waits for the
//! answer of another before asking.

use std::collections::HashMap;
use std::fmt;
use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::time::timeout;
use tokio_postgres::tls::MakeTlsConnect;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Connection, Error, Row, Socket, Statement};
use tokio_postgres_rustls::MakeRustlsConnect;
use tokio_util::sync::CancellationToken;

use super::failure::Failure;

/// How long the answer to a question may take. Questions by code take some milliseconds on a busy server.
pub(super) const LIMIT: Duration = Duration::from_secs(2);

/// A connection. It ends when it breaks, when it is given up, or with the last one who has it.
pub(super) struct Session {
    client: Client,
    /// By the place of their text, which is a constant of ours: that is quicker to compare than the text.
    statements: Mutex<HashMap<usize, Statement>>,
    gone: CancellationToken,
}

/// A stream under TLS.
type Protected = <MakeRustlsConnect as MakeTlsConnect<Socket>>::Stream;

/// What a question has in its places.
pub(super) type Parameters<'a> = &'a [&'a (dyn ToSql + Sync)];

impl Session {
    pub(super) fn start(client: Client, connection: Connection<Socket, Protected>) -> Arc<Self> {
        let gone = CancellationToken::new();
        let session = Arc::new(Self { client, statements: Mutex::default(), gone: gone.clone() });
        tokio::spawn(async move {
            tokio::select! {
                ended = connection => {
                    if let Err(error) = ended {
                        tracing::debug!(%error, "a connection to the database broke");
                    }
                }
                () = gone.cancelled() => {}
            }
            gone.cancel();
        });
        session
    }

    /// The rows that answer a question. Without an answer in time the connection is given up.
    pub(super) async fn query(&self, sql: &'static str, parameters: Parameters<'_>) -> Result<Vec<Row>, Failure> {
        self.within(LIMIT, async {
            let statement = self.statement(sql).await?;
            Ok(self.client.query(&statement, parameters).await?)
        })
        .await
    }

    /// Waits so long for something that was asked, and else gives the connection up: what comes behind would wait too.
    pub(super) async fn within<T>(
        &self,
        limit: Duration,
        asked: impl Future<Output = Result<T, Failure>>,
    ) -> Result<T, Failure> {
        let answer = timeout(limit, asked).await.unwrap_or(Err(Failure::Late));
        if let Err(failure) = &answer
            && (failure.is_loss() || failure.is_read_only())
        {
            self.give_up();
        }
        answer
    }

    /// A statement of ours, prepared once for each connection.
    pub(super) async fn statement(&self, sql: &'static str) -> Result<Statement, Error> {
        let place = sql.as_ptr().addr();
        let known = self.statements.lock().unwrap_or_else(PoisonError::into_inner).get(&place).cloned();
        if let Some(statement) = known {
            return Ok(statement);
        }
        let statement = self.client.prepare(sql).await?;
        self.statements.lock().unwrap_or_else(PoisonError::into_inner).insert(place, statement.clone());
        Ok(statement)
    }

    pub(super) fn client(&self) -> &Client {
        &self.client
    }

    /// Closes the connection; what was asked on it is answered with a loss.
    pub(super) fn give_up(&self) {
        self.gone.cancel();
    }

    pub(super) fn is_gone(&self) -> bool {
        self.gone.is_cancelled() || self.client.is_closed()
    }

    /// Waits for the end of the connection.
    pub(super) async fn ended(&self) {
        self.gone.cancelled().await;
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("is_gone", &self.is_gone()).finish_non_exhaustive()
    }
}
