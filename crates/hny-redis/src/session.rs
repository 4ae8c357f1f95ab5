//! One connection to one run of Redis.

use std::fmt;
use std::time::Duration;

use redis::aio::MultiplexedConnection;
use redis::{
    AsyncConnectionConfig, Client, ErrorKind, FromRedisValue, InfoDict, PushInfo, RedisError, RedisResult,
    ServerErrorKind,
};
use tokio::sync::mpsc;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::breaker::{Breaker, LATE, PATIENCE};
use crate::reads::Reads;
use crate::{Address, Prefix};

/// How long it may take to connect, and to be let in.
const HANDSHAKE: Duration = Duration::from_secs(1);

/// How many answers in a row a Redis must give in time before it is used.
const SAMPLES: u32 = 3;

/// The name of one run of a Redis, from its start to its end. One that was started again has another, whatever it has kept.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct RunId(String);

impl RunId {
    /// The name as text, to be kept elsewhere.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// An open connection, and the run that it leads to.
pub(crate) struct Session {
    connection: MultiplexedConnection,
    run: RunId,
    breaker: Breaker,
    pub(crate) reads: Reads,
    /// Cancelled when the session is given up.
    over: CancellationToken,
}

/// There is no Redis now, or it did not answer within 100 ms. Whether it did what was asked is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("Redis is not available")]
pub struct Unavailable;

/// Why there is no session.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ConnectError {
    /// Redis or the network refused.
    #[error(transparent)]
    Redis(#[from] RedisError),
    /// It took too long.
    #[error("no answer within {HANDSHAKE:?}")]
    Late(#[from] tokio::time::error::Elapsed),
    /// It is there, but of no use.
    #[error("it takes more than {LATE:?} to answer")]
    Slow,
    /// It does not say who it is.
    #[error("it does not tell its run_id")]
    Nameless,
}

impl Session {
    /// Connects. The first that is asked is which run this is; then whether it takes what is written, and answers in time.
    pub(crate) async fn open(
        address: &Address,
        prefix: &Prefix,
        pushes: mpsc::UnboundedSender<PushInfo>,
    ) -> Result<Self, ConnectError> {
        timeout(HANDSHAKE, Self::shake_hands(address, prefix, pushes)).await?
    }

    async fn shake_hands(
        address: &Address,
        prefix: &Prefix,
        pushes: mpsc::UnboundedSender<PushInfo>,
    ) -> Result<Self, ConnectError> {
        let config = AsyncConnectionConfig::new()
            .set_connection_timeout(None)
            .set_response_timeout(None)
            .set_pipeline_buffer_size(1024)
            .set_push_sender(pushes);
        let client = Client::open(address.connection())?;
        let mut connection = client.get_multiplexed_async_connection_with_config(&config).await?;
        let server: InfoDict = redis::cmd("INFO").arg("server").query_async(&mut connection).await?;
        let run = server.get::<String>("run_id").map(RunId).ok_or(ConnectError::Nameless)?;
        // A replica, or one without memory, says so here.
        let probe = format!("{prefix}probe");
        let () = redis::cmd("SET").arg(probe).arg(1).arg("PX").arg(10_000).query_async(&mut connection).await?;
        for _ in 0..SAMPLES {
            let ping = redis::cmd("PING");
            let () = timeout(LATE, ping.query_async(&mut connection)).await.map_err(|_| ConnectError::Slow)??;
        }
        connection.subscribe(format!("{prefix}changes")).await?;
        Ok(Self {
            connection,
            run,
            breaker: Breaker::default(),
            reads: Reads::default(),
            over: CancellationToken::new(),
        })
    }

    pub(crate) fn run(&self) -> &RunId {
        &self.run
    }

    /// Asks, and waits for at most [`PATIENCE`]. The caller may leave at any time.
    pub(crate) async fn ask<T: FromRedisValue>(
        &self,
        question: impl AsyncFnOnce(&mut MultiplexedConnection) -> RedisResult<T>,
    ) -> Result<T, Unavailable> {
        let mut connection = self.connection.clone();
        let under_way = self.breaker.ask(|| self.give_up(&"its answers are late"));
        match timeout(PATIENCE, question(&mut connection)).await {
            Ok(Ok(answer)) => {
                under_way.answered();
                return Ok(answer);
            }
            Ok(Err(error)) if is_about_the_question(&error) => {
                tracing::error!(%error, "Redis does not understand a question, or a key of ours holds something else");
                under_way.answered();
            }
            Ok(Err(error)) => self.give_up(&error),
            Err(_) => self.give_up(&format_args!("no answer within {PATIENCE:?}")),
        }
        Err(Unavailable)
    }

    /// Ends the session, for everybody who asks from now on.
    pub(crate) fn give_up(&self, reason: &dyn fmt::Display) {
        if !self.over.is_cancelled() {
            self.over.cancel();
            tracing::warn!(%reason, "Redis is left out until it answers again");
        }
    }

    pub(crate) fn is_over(&self) -> bool {
        self.over.is_cancelled()
    }

    /// Returns when the session was given up.
    pub(crate) async fn over(&self) {
        self.over.cancelled().await;
    }

    /// Whether Redis still answers; if it does not, that ends the session.
    pub(crate) async fn look(&self) {
        let _ = self.ask(async |redis| redis::cmd("PING").query_async::<()>(redis).await).await;
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("run", &self.run).field("is_over", &self.is_over()).finish_non_exhaustive()
    }
}

/// Whether an error is one of this question, and tells nothing about the next: the key holds another type, or a script failed.
fn is_about_the_question(error: &RedisError) -> bool {
    matches!(error.kind(), ErrorKind::Server(ServerErrorKind::ResponseError)) || error.code() == Some("WRONGTYPE")
}
