//! Links whose making depends on more than their code, and leaves more than a link: the statements are the same, with a question
//! before and a receipt behind, all in one transaction.

use tokio_postgres::Row;

use super::{Arrays, INSERT, Outcome, Outcomes, TAKE, insertion, outcomes};
use crate::postgres::change::{BEGIN, LIMIT, roll_back};
use crate::postgres::failure::Failure;
use crate::postgres::link;
use crate::postgres::receipt::{self, Rows};
use crate::postgres::row::{self, link_columns};
use crate::postgres::session::Session;
use crate::receipt::{NewReceipt, Receipt, RequestId};
use crate::{NewLink, target_hash};

/// As [`super::insert`], for links with terms among them. No request may be there twice, nor two links of one owner to one target that
/// need not be new.
///
/// An answer that changed nothing is kept without a turn among changes of links, so a receipt may come while links are made. It is there
/// then, and found by a second attempt.
pub(super) async fn insert(session: &Session, links: &[NewLink], begins: bool) -> Result<Outcomes, Failure> {
    match attempt_or_undo(session, links, begins).await {
        Err(failure) if failure.is_duplicate() => attempt_or_undo(session, links, begins).await,
        outcomes => outcomes,
    }
}

async fn attempt_or_undo(session: &Session, links: &[NewLink], begins: bool) -> Result<Outcomes, Failure> {
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
    let asked: Vec<&NewLink> = links.iter().filter(|link| !outcomes.contains_key(&link.id)).collect();
    let mut made = find(session, &asked).await?;
    let rest: Vec<&NewLink> = asked.iter().copied().filter(|link| !made.contains_key(&link.id)).collect();
    made.extend(make(session, &rest, begins).await?);
    finish(session, &receipts(&asked, &made)).await?;
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

/// For each of these links, by its place in the arrays, the first that will do; see [`crate::Insertion::Found`].
const FIND: &str = concat!(
    "SELECT found.*, w.place
    FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::integer[], $5::bigint[]) WITH ORDINALITY
        AS w (w_owner, w_target_hash, w_target, w_domain, w_now, place)
    CROSS JOIN LATERAL (SELECT ",
    link_columns!(),
    " FROM links
        WHERE owner = w_owner AND target_hash = w_target_hash AND target = w_target AND domain = w_domain AND deleted_at IS NULL
            AND active AND NOT private AND (valid_from IS NULL OR valid_from <= w_now) AND expires_at IS NULL
            AND max_clicks IS NULL AND password_hash IS NULL
        ORDER BY id LIMIT 1) AS found"
);

/// Finds links that will do for those that need not be new.
async fn find(session: &Session, links: &[&NewLink]) -> Result<Outcomes, Failure> {
    let links: Vec<&NewLink> = links.iter().copied().filter(|link| link.terms.reuse).collect();
    if links.is_empty() {
        return Ok(Outcomes::new());
    }
    let owners: Vec<_> = links.iter().map(|link| link.caller.owner().map(|owner| owner.0)).collect();
    let hashes: Vec<_> = links.iter().map(|link| target_hash::of(&link.draft.target)).collect();
    let targets: Vec<_> = links.iter().map(|link| link.draft.target.as_str()).collect();
    let domains: Vec<_> = links.iter().map(|link| link::id(link.domain)).collect();
    let times: Vec<_> = links.iter().map(|link| link.now.as_millis()).collect();
    let find = session.statement(FIND).await?;
    let rows = session.client().query(&find, &[&owners, &hashes, &targets, &domains, &times]).await?;
    let outcome = |row: &Row| {
        let place: i64 = row::get(row, row.len() - 1)?;
        let asked = usize::try_from(place - 1).ok().and_then(|place| links.get(place));
        let found = row::link(row)?;
        Ok(asked.map(|asked| (asked.id, Outcome::Found(Box::new(found)))))
    };
    rows.iter().filter_map(|row| outcome(row).transpose()).collect()
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
