//! `POST /api/v1/links/bulk`

use axum::extract::State;
use hny_domain::{Caller, Code, DomainId, Link};
use hny_service::{Answer, Created, Error, Making, Told, Turn, Wish};
use hny_wire::bulk::{Row, RowView, Verb};
use hny_wire::{Bulk, NewLink, Problem};
use http::StatusCode;

use crate::answer::{Outcome, answer, reply};
use crate::api::password::all_hashed;
use crate::app::{App, Parts};
use crate::extract::{FromClient, KeyHolder, Parameters, Posted, invalid};
use crate::problem::{Failure, of_service};

/// The largest body, in bytes.
const MOST_BYTES: usize = 10 * 1024 * 1024;

/// Makes or deletes many links, and tells of each what became of it. One that cannot be done is no loss for the others.
pub(crate) async fn bulk(
    State(app): State<App>,
    KeyHolder(caller): KeyHolder,
    FromClient(client): FromClient,
    parameters: Parameters,
    posted: Posted<Bulk, MOST_BYTES>,
) -> Outcome {
    parameters.only([])?;
    let work = async |turn: Option<&Turn>| {
        let rows = match posted.shape.verb().map_err(invalid)? {
            Verb::Create(rows) => create(&app, caller, (parameters.domain_name(), rows), turn).await?,
            Verb::Delete(rows) => delete(&app, caller, (parameters.domain(), rows)).await?,
        };
        Ok(reply(whole(&app, &rows, turn).await?))
    };
    posted.once(&app, (caller, client), work).await
}

/// The answer to the whole request. Where something failed on our side, it is not the last word.
async fn whole(app: &Parts, rows: &[Answer], turn: Option<&Turn>) -> Result<Answer, Failure> {
    let results: Vec<_> = rows.iter().map(|row| row.body.as_str()).collect();
    let body = format!("{{\"results\":[{}]}}", results.join(","));
    let answer = Answer { status: StatusCode::OK.as_u16(), location: None, version: None, body };
    match turn.filter(|_| rows.iter().all(|row| row.status < 500)) {
        Some(turn) => Ok(app.receipts.keep(turn, answer).await?),
        None => Ok(answer),
    }
}

async fn create(
    app: &App,
    caller: Caller,
    (domain, rows): (Option<String>, &[Row]),
    turn: Option<&Turn>,
) -> Result<Vec<Answer>, Failure> {
    // On no domain. Of others each row says whether it may be there.
    if caller.changes().is_none() {
        return Err(Error::NotAllowed.into());
    }
    let mut answers = match turn {
        Some(turn) => app.receipts.rows(turn, rows.len()).await?,
        None => vec![None; rows.len()],
    };
    let mut checked = Vec::new();
    for (number, row) in rows.iter().enumerate() {
        if answers[number].is_some() {
            continue;
        }
        match wish(app, caller, (domain.as_deref(), row)) {
            Ok((wish, password)) => checked.push((number, wish, password)),
            Err(Failure(problem)) => answers[number] = Some(refused(problem, "create", number)),
        }
    }
    let mut wishes = Vec::with_capacity(checked.len());
    for (number, wish) in all_hashed(app, checked).await {
        match wish {
            Ok(wish) => wishes.push((number, answering(app, wish, number, turn))),
            Err(Failure(problem)) => answers[number] = Some(refused(problem, "create", number)),
        }
    }
    for (number, made) in app.links.make_all(wishes).await {
        answers[number] = Some(told(app, number, made));
    }
    Ok(answers.into_iter().flatten().collect())
}

/// What a row wants, on the domain of the whole request if it says none, and the password that it has.
fn wish(app: &Parts, caller: Caller, (domain, row): (Option<&str>, &Row)) -> Result<(Wish, Option<String>), Failure> {
    let mut new: NewLink = row.read()?;
    new.domain = new.domain.or_else(|| domain.map(ToOwned::to_owned));
    let wish = app.links.wish(caller, new.input())?;
    Ok((wish, new.password().map(ToOwned::to_owned)))
}

/// With a receipt for the row, if the request may come again.
fn answering(app: &App, wish: Wish, number: usize, turn: Option<&Turn>) -> Wish {
    let Some(turn) = turn else { return wish };
    let app = App::clone(app);
    wish.answering(&turn.row(number), move |outcome| match outcome {
        Told::Made(link) => made(&app, link, StatusCode::CREATED),
        Told::Found(link) => made(&app, link, StatusCode::OK),
        Told::Refused(error) => refused(of_service(error), "create", number),
    })
}

fn told(app: &Parts, number: usize, outcome: Result<Making, Error>) -> Answer {
    match outcome {
        Ok(Making::Answered(answer)) => answer,
        Ok(Making::Created(Created { link, is_new: true })) => {
            app.metrics.link_created();
            made(app, &link, StatusCode::CREATED)
        }
        Ok(Making::Created(Created { link, is_new: false })) => made(app, &link, StatusCode::OK),
        Err(error) => refused(of_service(&error), "create", number),
    }
}

async fn delete(app: &Parts, caller: Caller, (domain, rows): (DomainId, &[Row])) -> Result<Vec<Answer>, Failure> {
    if caller.changes().is_none() {
        return Err(Error::NotAllowed.into());
    }
    let mut answers = vec![None; rows.len()];
    let mut codes = Vec::new();
    for (number, row) in rows.iter().enumerate() {
        match code(row) {
            Ok(code) => codes.push((number, (domain, code))),
            Err(Failure(problem)) => answers[number] = Some(refused(problem, "delete", number)),
        }
    }
    for (number, deleted) in app.links.delete_all(caller, codes).await {
        answers[number] = Some(match deleted {
            Ok(()) => row(&RowView { status: StatusCode::NO_CONTENT.as_u16(), link: None, problem: None }),
            Err(error) => refused(of_service(&error), "delete", number),
        });
    }
    Ok(answers.into_iter().flatten().collect())
}

/// What cannot be a code has no link.
fn code(row: &Row) -> Result<Code, Failure> {
    Ok(Code::parse(row.text()?).map_err(|_| Error::LinkNotFound)?)
}

fn made(app: &Parts, link: &Link, status: StatusCode) -> Answer {
    row(&RowView { status: status.as_u16(), link: Some(super::view(app, link)), problem: None })
}

fn refused(problem: Problem, list: &str, number: usize) -> Answer {
    row(&RowView { status: problem.status, link: None, problem: Some(problem.in_row(list, number)) })
}

/// A row as it stands in the answer, and as it is kept.
fn row(view: &RowView) -> Answer {
    Answer { status: view.status, ..answer(StatusCode::OK, view) }
}
