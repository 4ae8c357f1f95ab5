//! What is looked at when a database is opened: whether the server will do, and whether it keeps what it confirms.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::sleep;
use tokio_postgres::error::SqlState;

use super::failure::Failure;
use super::migrations;
use super::server::Server;
use super::session::Session;
use super::tasks::Tasks;
use crate::OpenError;

/// `pg_current_xact_id` came with 13.
const OLDEST: i32 = 130_000;

/// Between two attempts to prepare a database whose server is away.
const PAUSE: Duration = Duration::from_millis(500);

/// Connects, looks at the server, and brings its tables up to date: then it is ready.
pub(super) async fn prepare(server: &Server) -> Result<(), OpenError> {
    let session = server.connect().await.map_err(|failure| refused(server, failure))?;
    let looked_at = look_at(server, &session).await;
    session.give_up();
    looked_at?;
    server.set_ready();
    Ok(())
}

/// Whether the server may be ready later without anybody changing a setting.
pub(super) fn may_pass(error: &OpenError) -> bool {
    matches!(error, OpenError::Unreachable { .. } | OpenError::Replica { .. })
}

/// Tries to prepare a database until that succeeds; `error` says why it did not at first.
pub(super) fn keep_trying(server: &Arc<Server>, error: &OpenError, tasks: &Tasks) {
    let said = error.to_string();
    tracing::warn!(reason = said, "replicas look up links, and nothing can be changed until the primary is there");
    let (server, closed) = (Arc::clone(server), tasks.closed.clone());
    tasks.background.spawn(async move {
        tokio::select! {
            () = try_again(&server, said) => {}
            () = closed.cancelled() => {}
        }
    });
}

async fn try_again(server: &Server, mut said: String) {
    loop {
        sleep(PAUSE).await;
        let Err(error) = prepare(server).await else { return };
        let reason = error.to_string();
        if reason != said {
            tracing::warn!(reason, "the primary cannot be used yet; trying again until it can");
            said = reason;
        }
    }
}

async fn look_at(server: &Server, session: &Session) -> Result<(), OpenError> {
    let client = session.client();
    let failed = |error| refused(server, Failure::from(error));
    let settings = client.query_one(SETTINGS, &[]).await.map_err(failed)?;
    let version: i32 = settings.get(0);
    if version < OLDEST {
        return Err(OpenError::TooOld { database: server.to_string(), version: version / 10_000 });
    }
    if settings.get(1) {
        return Err(OpenError::Replica { database: server.to_string() });
    }
    for (is_off, setting, danger) in [
        (settings.get(2), "fsync", "a crash of the system may destroy the database"),
        (settings.get(3), "full_page_writes", "a crash of the system may destroy the database"),
        (settings.get(4), "synchronous_commit", "a crash may lose links that were confirmed"),
    ] {
        if is_off {
            tracing::warn!(database = %server, "{setting} is off in PostgreSQL: {danger}; switch it on");
        }
    }
    migrations::migrate(client).await.map_err(|error| OpenError::MigratePostgres {
        database: server.to_string(),
        source: Arc::new(Failure::from(error)),
    })
}

const SETTINGS: &str = "
    SELECT current_setting('server_version_num')::integer, pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on',
        current_setting('fsync') = 'off', current_setting('full_page_writes') = 'off',
        current_setting('synchronous_commit') = 'off'";

/// Why a server does not let us in, as far as it says.
fn refused(server: &Server, failure: Failure) -> OpenError {
    let database = server.to_string();
    let source = Arc::new(failure);
    let Failure::Server(error) = &*source else {
        return OpenError::Unreachable { database, source };
    };
    let is_of_login = |code: &SqlState| ["28", "3D"].iter().any(|class| code.code().starts_with(class));
    if error.code().is_some_and(is_of_login) || error.to_string() == "authentication error" {
        return OpenError::Login { database, source };
    }
    if is_of_tls(error) {
        return OpenError::Tls { database, source };
    }
    if error.code().is_none() && has_no_primary(error) {
        return OpenError::Replica { database };
    }
    OpenError::Unreachable { database, source }
}

fn is_of_tls(error: &tokio_postgres::Error) -> bool {
    error.to_string() == "error performing TLS handshake"
}

/// With `target_session_attrs=read-write`: servers answer, and none of them takes changes.
fn has_no_primary(error: &tokio_postgres::Error) -> bool {
    error.source().is_some_and(|source| source.to_string().contains("does not allow writes"))
}
