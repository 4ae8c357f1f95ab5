//! Links whose making depends on more than their code, and leaves more than a link: the statements are the same, with a question
//! before and a receipt behind, all in one transaction.

use tokio_postgres::Row;

use super::{Arrays, INSERT, Outcome, Outcomes, TAKE, insertion, outcomes};
use crate::NewLink;
use crate::postgres::change::{BEGIN, LIMIT, roll_back};
use crate::postgres::failure::Failure;
use crate::postgres::receipt::{self, Rows};
use crate::postgres::session::Session;
use crate::receipt::{NewReceipt, Receipt, RequestId};

/// As [`super::insert`], for links with terms among them. No request may be there twice.
pub(super) async fn insert(session: &Session, links: &[NewLink], begins: bool) -> Result<Outcomes, Failure> {
    let made = session.within(LIMIT, attempt(session, links, begins)).await;
    if let Err(failure) = &made
        && !failure.is_loss()
    {
        roll_back(session).await?;
    }
    made
}

async fn attempt(session: &Session, links: &[NewLink], begins: bool) -> Result<Outcomes, Failure> {
    let mut outcomes = begin(session, links).await?;
    let rest: Vec<&NewLink> = links.iter().filter(|link| !outcomes.contains_key(&link.id)).collect();
    let made = make(session, &rest, begins).await?;
    finish(session, &receipts(&rest, &made)).await?;
    outcomes.extend(made);
    Ok(outcomes)
}

/// Takes the versions, and with them the lock that makes what is read next true to the end, and finds what was answered before.
async fn begin(session: &Session, links: &[NewLink]) -> Result<Outcomes, Failure> {
    let (take, find) = (session.statement(TAKE).await?, session.statement(receipt::FIND).await?);
    let count = i64::try_from(links.len()).unwrap_or(i64::MAX);
    let requests: Vec<_> = links.iter().filter_map(|link| Some(link.terms.receipt.as_ref()?.request)).collect();
    let requests: Vec<_> = requests.iter().map(|RequestId(request)| request.as_slice()).collect();
    let (client, count, requests) = (session.client(), &[&count as _], &[&requests as _]);
    let (begun, taken, found) = tokio::join!(
        biased;
        client.batch_execute(BEGIN),
        client.execute(&take, count),
        client.query(&find, requests),
    );
    begun?;
    taken?;
    let mut known = receipt::found(&found?)?;
    let answered = |link: &NewLink| {
        let receipt = known.remove(&link.terms.receipt.as_ref()?.request)?;
        Some((link.id, Outcome::Answered(receipt)))
    };
    Ok(links.iter().filter_map(answered).collect())
}

async fn make(session: &Session, links: &[&NewLink], begins: bool) -> Result<Outcomes, Failure> {
    if links.is_empty() {
        return Ok(Outcomes::new());
    }
    let insert = session.statement(INSERT).await?;
    let arrays = Arrays { begins, ..Arrays::of(links.iter().copied()) };
    let rows: Vec<Row> = session.client().query(&insert, &arrays.parameters()).await?;
    outcomes(&rows)
}

/// What is answered to those who asked with a request.
fn receipts(links: &[&NewLink], outcomes: &Outcomes) -> Rows {
    let mut rows = Rows::default();
    for link in links {
        let Some(NewReceipt { request, fingerprint, say, now }) = &link.terms.receipt else { continue };
        if let Some(answer) = say(&insertion((*link).clone(), outcomes.get(&link.id))) {
            rows.push(*request, &Receipt { fingerprint: *fingerprint, answer }, *now);
        }
    }
    rows
}

async fn finish(session: &Session, receipts: &Rows) -> Result<(), Failure> {
    let write = session.statement(receipt::INSERT).await?;
    let (client, parameters) = (session.client(), receipts.parameters());
    let (written, committed) =
        tokio::join!(biased; client.execute(&write, &parameters), client.batch_execute("COMMIT"));
    // After an error COMMIT rolls back, and says nothing of it.
    written?;
    Ok(committed?)
}
