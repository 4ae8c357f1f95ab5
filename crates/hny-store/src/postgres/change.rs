//! Changes that are not gathered: each is a transaction, whose outcome is known even if the connection breaks at its end.

use std::time::Duration;

use tokio::time::sleep;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Error, Row};

use super::failure::Failure;
use super::line::Line;
use super::row;
use super::session::{Parameters, Session};

/// How long each half of a change may take, the wait for its turn included.
pub(super) const LIMIT: Duration = Duration::from_secs(6);

/// The server ends a statement that takes longer by itself, so that it does not do later what nobody waits for any more.
pub(super) const BEGIN: &str = "BEGIN; SET LOCAL statement_timeout = '5s'";

/// Between two looks at a transaction that is still in progress. The server has no signal for its end.
const PAUSE: Duration = Duration::from_millis(50);

/// What a change begins with. Each answers the number of the transaction, by which its outcome can be asked for.
#[derive(Debug, Clone, Copy)]
pub(super) enum First {
    /// Nothing in particular.
    Begin,
    /// Takes the next version, which is the second column. This locks the sequence until the end: nobody else changes a link
    /// meanwhile, and changes become visible in the order of their versions.
    TakeVersion,
    /// Waits until no other process leases what nodes share.
    LockLeases,
    /// Waits until no other process ranks links by their clicks.
    LockRanks,
    /// Waits until no other process gives a spool its lane: what is asked then shows all that are taken.
    LockLanes,
}

impl First {
    const fn sql(self) -> &'static str {
        match self {
            Self::Begin => "SELECT pg_current_xact_id()::text",
            Self::TakeVersion => {
                "UPDATE sequence SET version = version + 1 RETURNING pg_current_xact_id()::text, version"
            }
            // "hny" and "lea" in ASCII: nobody else's advisory lock has this number.
            Self::LockLeases => {
                "SELECT pg_current_xact_id()::text FROM pg_advisory_xact_lock(x'00686e79006c6561'::bigint)"
            }
            // "hny" and "lan".
            Self::LockLanes => {
                "SELECT pg_current_xact_id()::text FROM pg_advisory_xact_lock(x'00686e79006c616e'::bigint)"
            }
            // "hny" and "ran".
            Self::LockRanks => {
                "SELECT pg_current_xact_id()::text FROM pg_advisory_xact_lock(x'00686e790072616e'::bigint)"
            }
        }
    }
}

/// What a change makes of what it read.
pub(super) enum Verdict<T> {
    /// Nothing is to be changed.
    Leave(T),
    /// What was asked for has changed all there is to change.
    Keep(T),
    /// This is to be changed, too.
    Write(T, Write),
    /// All of this, in this order.
    WriteAll(T, Vec<Write>),
}

/// A statement and what it has in its places.
pub(super) struct Write {
    pub(super) sql: &'static str,
    pub(super) parameters: Vec<Box<dyn ToSql + Send + Sync>>,
}

/// What was asked first, and what then.
pub(super) struct Question<'a> {
    pub(super) first: First,
    pub(super) sql: &'static str,
    pub(super) parameters: Parameters<'a>,
}

/// Asks, has `decide` say what to do with the answers (the row of the first question, the rows of the second), and does it.
/// Answers what `decide` said, once that is durable.
///
/// When the connection breaks, it is found out whether the change was made; one that was not is tried once more.
pub(super) async fn change<T>(
    line: &Line,
    question: &Question<'_>,
    decide: impl Fn(&Row, &[Row]) -> Result<Verdict<T>, Failure>,
) -> Result<T, Failure> {
    match attempt(line, question, &decide).await {
        Err(failure) if may_be_tried_again(&failure) => attempt(line, question, &decide).await,
        outcome => outcome,
    }
}

/// What is reported as a loss was not committed: that was looked up. Who has waited long does not wait again.
pub(super) fn may_be_tried_again(failure: &Failure) -> bool {
    failure.is_worth_another_try() || failure.is_loss() && !matches!(failure, Failure::Late)
}

async fn attempt<T>(
    line: &Line,
    question: &Question<'_>,
    decide: &impl Fn(&Row, &[Row]) -> Result<Verdict<T>, Failure>,
) -> Result<T, Failure> {
    let session = line.session().await?;
    // With a transaction that may still be open the connection is good for nothing else.
    let begun = session.within(LIMIT, begin(&session, question)).await.inspect_err(|_| session.give_up());
    let (first, found) = begun?;
    let (value, writes) = match decide(&first, &found) {
        Ok(Verdict::Write(value, write)) => (value, vec![write]),
        Ok(Verdict::WriteAll(value, writes)) => (value, writes),
        Ok(Verdict::Keep(value)) => (value, Vec::new()),
        Ok(Verdict::Leave(value)) => return roll_back(&session).await.map(|()| value),
        Err(failure) => return roll_back(&session).await.and(Err(failure)),
    };
    match session.within(LIMIT, finish(&session, writes)).await {
        Ok(()) => Ok(value),
        Err(failure) if failure.is_loss() => match was_committed(line, row::get(&first, 0)?).await {
            Ok(true) => Ok(value),
            Ok(false) => Err(failure),
            Err(_) => Err(Failure::Unknown),
        },
        Err(failure) => Err(failure),
    }
}

/// Asks three things at once, in this order, and waits for all of the answers.
async fn begin(session: &Session, question: &Question<'_>) -> Result<(Row, Vec<Row>), Failure> {
    let (first, second) = (session.statement(question.first.sql()).await?, session.statement(question.sql).await?);
    let client = session.client();
    let (begun, first, found) = tokio::join!(
        biased;
        client.batch_execute(BEGIN),
        client.query_one(&first, &[]),
        client.query(&second, question.parameters),
    );
    begun?;
    Ok((first?, found?))
}

async fn finish(session: &Session, mut writes: Vec<Write>) -> Result<(), Failure> {
    let client = session.client();
    let Some(last) = writes.pop() else {
        return Ok(client.batch_execute("COMMIT").await?);
    };
    for write in &writes {
        if let Err(failure) = execute(session, write).await {
            // With a transaction that may still be open the connection is good for nothing else.
            session.give_up();
            return Err(failure);
        }
    }
    // Before it is on its way with COMMIT right behind.
    session.statement(last.sql).await?;
    let (written, committed) = tokio::join!(biased; execute(session, &last), async { Ok::<_, Failure>(client.batch_execute("COMMIT").await?) });
    // After an error COMMIT rolls back, and says nothing of it.
    written?;
    committed
}

async fn execute(session: &Session, Write { sql, parameters }: &Write) -> Result<(), Failure> {
    let statement = session.statement(sql).await?;
    let parameters: Vec<&(dyn ToSql + Sync)> = parameters.iter().map(|parameter| &**parameter as _).collect();
    session.client().execute(&statement, &parameters).await?;
    Ok(())
}

pub(super) async fn roll_back(session: &Session) -> Result<(), Failure> {
    session.within(LIMIT, async { Ok(session.client().batch_execute("ROLLBACK").await?) }).await
}

/// Whether a transaction, to whose commit no answer came, was committed. Waits until it is over.
pub(super) async fn was_committed(line: &Line, transaction: &str) -> Result<bool, Failure> {
    let session = line.session().await?;
    let over = async {
        let ask = session.statement("SELECT pg_xact_status($1::text::xid8)").await?;
        loop {
            let status: Option<String> = session.client().query_one(&ask, &[&transaction]).await?.try_get(0)?;
            match status.as_deref() {
                Some("committed") => return Ok(true),
                Some("in progress") => sleep(PAUSE).await,
                Some(_) => return Ok(false),
                // So old that the server has forgotten it.
                None => return Err(Failure::Unknown),
            }
        }
    };
    session.within(LIMIT, over).await
}

/// Reads when every change of links that has begun is over, and before the next begins.
pub(super) async fn in_turn(
    session: &Session,
    sql: &'static str,
    parameters: Parameters<'_>,
) -> Result<Vec<Row>, Failure> {
    let asked = async {
        let wait = session.statement("SELECT FROM sequence FOR UPDATE").await?;
        let read = session.statement(sql).await?;
        let client = session.client();
        let (begun, waited, rows, ended) = tokio::join!(
            biased;
            client.batch_execute(BEGIN),
            client.execute(&wait, &[]),
            client.query(&read, parameters),
            client.batch_execute("ROLLBACK"),
        );
        begun?;
        waited?;
        let rows: Result<_, Error> = rows;
        ended?;
        Ok(rows?)
    };
    session.within(LIMIT, asked).await
}
