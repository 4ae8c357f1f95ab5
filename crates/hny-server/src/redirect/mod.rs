//! The road of a visit: path → link → decision → response.
//!
//! There are two ways in, with one decision behind them. Nearly every visit comes by the plain road, as bytes (`road.rs`); what is
//! unusual about its HTTP makes hyper read it first (`from_cache`, `resolved`). The form of a link that asks for one comes to
//! `form.rs`, and who asks where a link leads to `preview.rs`.

mod bytes;
mod claims;
mod date;
pub(crate) mod form;
mod harm;
mod notices;
pub(crate) mod path;
pub(crate) mod preview;
mod refusal;
mod response;
mod road;
mod token;

use hny_clicks::Visited;
use hny_domain::{Claim, Code, Decision, DomainId, Hazard, Lead, Timestamp, Visit, VisitId, VisitKind, decide};
use hny_guard::{Client, Token, TooMany};
use hny_resolve::{Cached, Found};
use hny_service::Error;
use http::{HeaderMap, Method, Uri};

use crate::app::Parts;
use crate::body::Response;
use crate::metrics::Outcome;
use crate::origin::Origin;
use crate::problem::wants_html;
use crate::visitor::Visitor;

pub(crate) use bytes::Ending;
pub(crate) use date::Date;
pub(crate) use road::{Hit, LookedUp, PlainVisit, Road, Wanted};
pub(crate) use token::with_token;

/// Whether a link answers to this method; all others get a 405.
pub(crate) fn is_visit(method: &Method) -> bool {
    matches!(*method, Method::GET | Method::HEAD)
}

/// What a visit asks for, but which link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Asked<'a> {
    /// What stood behind the `?`.
    pub(crate) query: Option<&'a str>,
    /// What stood behind the code and its slash.
    pub(crate) rest: Option<&'a str>,
    /// Whether only the head of the answer is wanted.
    pub(crate) is_head: bool,
    /// Whether a page is wanted rather than a document.
    pub(crate) wants_html: bool,
    /// Who asks.
    pub(crate) visitor: Visitor<'a>,
}

/// A visit: which link is wanted, how, and from where.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Want<'a> {
    /// The domain; `None` is a host that is none of ours.
    pub(crate) domain: Option<DomainId>,
    /// The code, whether there is such a link or not.
    pub(crate) code: &'a str,
    /// The rest of what is asked for.
    pub(crate) asked: Asked<'a>,
    /// From where.
    pub(crate) origin: Origin<'a>,
}

/// What was looked up for a visit.
#[derive(Debug)]
pub(crate) struct Resolved {
    /// The link.
    link: Option<Found>,
    /// What the visit was granted on it.
    granted: Granted,
}

/// What a visit was granted that a link does not grant to everyone.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Granted {
    /// What became of its click, if every click of the link is counted before it is granted.
    claim: Claim,
    /// Whether it has shown to know the link's password.
    is_unlocked: bool,
    /// What was found against where the link leads when its click was to be claimed. It is not looked for again then: a click would be
    /// spent on a warning.
    hazard: Option<Hazard>,
    /// Whether it has sent the form of one of the link's pages: then it is a person's, by whatever program.
    by_form: bool,
}

/// Who asks, and what they bring with them.
#[derive(Debug, Clone)]
pub(crate) struct Sender {
    client: Client,
    /// The name that a trusted proxy has given to the visit.
    id: Option<VisitId>,
    /// What may open a link without its password. Few bring one, so the others need not have room for it.
    token: Option<Box<Token>>,
}

/// Why a link was not looked up.
#[derive(Debug)]
pub(crate) enum LookUpError {
    /// The store could not say.
    Failed(Error),
    /// It was not asked, for this client.
    TooMany(TooMany),
}

impl Sender {
    /// Reads what is known of whoever asks.
    fn of(app: &Parts, origin: Origin<'_>, token: Option<Token>) -> Self {
        let proxies = &app.guard.proxies;
        let id = origin.visit_id(proxies, app.visit_id_field.as_deref());
        Self { client: origin.client(proxies), id, token: token.map(Box::new) }
    }
}

impl<'a> Asked<'a> {
    /// As hyper has read it, with what stood behind the code.
    pub(crate) fn of(method: &Method, uri: &'a Uri, rest: Option<&'a str>, headers: &'a HeaderMap) -> Self {
        let (is_head, visitor) = (*method == Method::HEAD, Visitor::of(headers));
        Self { query: uri.query(), rest, is_head, wants_html: wants_html(headers), visitor }
    }

    fn kind(self) -> VisitKind {
        self.visitor.kind(self.is_head)
    }

    /// What is decided about.
    fn visit(self, hazard: Hazard, granted: Granted) -> Visit<'a> {
        let Granted { claim, is_unlocked, by_form, hazard: _ } = granted;
        let kind = if by_form { VisitKind::Person } else { self.kind() };
        Visit { rest: self.rest, query: self.query, kind, is_unlocked, claim, hazard }
    }
}

/// The answer to a visit that is all in the cache: the link, or its absence. `None` when something has to be looked up.
pub(crate) fn from_cache(app: &Parts, want: Want<'_>) -> Option<Response> {
    let Some(domain) = want.domain else { return Some(answer(app, None, want, Granted::default())) };
    if token::may_be_in(want.asked.query) {
        return None;
    }
    match app.resolver.cached(domain, want.code) {
        Cached::Link(link) if link.rules().is_limited => None,
        Cached::Link(link) => Some(answer(app, Some(&link), want, Granted::default())),
        Cached::Absent => Some(answer(app, None, want, Granted::default())),
        Cached::Unknown => None,
    }
}

/// The answer to a visit, after asking the store for what the cache does not know.
pub(crate) async fn resolved(
    app: &Parts,
    (domain, code): (DomainId, &Code),
    asked: Asked<'_>,
    origin: Origin<'_>,
) -> Response {
    let (token, query) = token::take_out(asked.query);
    let (asked, sender) = (Asked { query: query.as_deref(), ..asked }, Sender::of(app, origin, token));
    match look_up(app, (domain, code), asked, &sender).await {
        Ok(Resolved { link, granted }) => {
            let origin = Origin::Known(sender.client);
            answer(app, link.as_ref(), Want { domain: Some(domain), code: code.as_str(), asked, origin }, granted)
        }
        Err(LookUpError::Failed(error)) => failed(app, &error, asked),
        Err(LookUpError::TooMany(refused)) => response::too_many(app, refused, asked.wants_html),
    }
}

/// Looks up what a visit needs that may wait: the link, and what the visit is granted on it.
async fn look_up(
    app: &Parts,
    place: (DomainId, &Code),
    asked: Asked<'_>,
    sender: &Sender,
) -> Result<Resolved, LookUpError> {
    let link = find(app, place, sender.client).await?;
    let granted = match &link {
        // Few links have a limit or a password, so the others need not have room for it.
        Some(link) if link.rules().is_limited || link.rules().is_locked => {
            Box::pin(grant(app, (place, link), asked, sender)).await
        }
        _ => Ok(Granted::default()),
    };
    Ok(Resolved { link, granted: granted.map_err(LookUpError::Failed)? })
}

/// What a visit is granted: first that it is let through, then a click.
async fn grant(
    app: &Parts,
    (place, link): ((DomainId, &Code), &Found),
    asked: Asked<'_>,
    sender: &Sender,
) -> Result<Granted, Error> {
    let lead = link.lead();
    let is_unlocked =
        lead.rules.is_locked && token::opens(app, (place, lead), asked.kind(), sender.token.as_deref()).await?;
    let granted = Granted { is_unlocked, ..Granted::default() };
    claims::claim(app, link, (asked, granted), sender.id.clone()).await
}

/// Asks the store, unless this client has asked for so much that is not there that it has to wait.
async fn find(app: &Parts, (domain, code): (DomainId, &Code), client: Client) -> Result<Option<Found>, LookUpError> {
    // It may be here because of its limit.
    if let Cached::Link(found) = app.resolver.cached(domain, code.as_str()) {
        return Ok(Some(found));
    }
    if let Some(unknown) = &app.guard.unknown
        && let Err(refused) = unknown.look_up(client, app.clock.monotonic())
    {
        app.metrics.visit(Outcome::Limited);
        return Err(LookUpError::TooMany(refused));
    }
    app.resolver.resolve(domain, code).await.map_err(|error| LookUpError::Failed(error.into()))
}

fn answer(app: &Parts, link: Option<&Found>, want: Want<'_>, granted: Granted) -> Response {
    match decided(app, link, want, granted) {
        Ok((decision, now)) => respond(app, link, &decision, (want.asked, now)),
        Err(refused) => response::too_many(app, refused, want.asked.wants_html),
    }
}

/// The response to a decision about a link.
fn respond(
    app: &Parts,
    link: Option<&Found>,
    decision: &Decision<'_>,
    (asked, now): (Asked<'_>, Timestamp),
) -> Response {
    let mut response = response::of(app, decision, asked.wants_html, now);
    if matches!(decision, Decision::Go { .. }) && is_locked(link) {
        response::hide_referrer(&mut response);
    }
    response
}

/// Whether a link leads only those on who have shown something.
fn is_locked(link: Option<&Found>) -> bool {
    link.is_some_and(|link| link.rules().is_locked)
}

/// The decision about a visit, and the time of it. By whichever way a visit came, this is where it is decided, counted, and its
/// click recorded. Nothing is told to who has asked for too much that is not there.
fn decided<'a>(
    app: &Parts,
    link: Option<&'a Found>,
    want: Want<'_>,
    granted: Granted,
) -> Result<(Decision<'a>, Timestamp), TooMany> {
    let hazard = granted.hazard.unwrap_or_else(|| link.map_or(Hazard::None, |link| harm::hazard(app, link)));
    let lead = link.map(Found::lead);
    let (now, visit) = (time_for(app, lead), want.asked.visit(hazard, granted));
    let decision = decide(lead, visit, app.defaults, now);
    // Who has claimed a click was screened before.
    let decision = if granted.claim == Claim::Granted { decision } else { harm::screened(app, lead, decision) };
    app.metrics.visit(match decision {
        Decision::Go { .. } => Outcome::Go,
        Decision::Gone { .. } => Outcome::Gone,
        Decision::AskPassword => Outcome::Asked,
        Decision::Withhold => Outcome::Withheld,
        Decision::Blocked => Outcome::Blocked,
        Decision::Flagged { .. } => Outcome::Flagged,
        Decision::TooEarly => Outcome::TooEarly,
        // The time of the link began between the lookup and now: whoever asks again is answered.
        Decision::Claim => Outcome::Failed,
        Decision::Absent => {
            count_absence(app, want)?;
            Outcome::Absent
        }
    });
    if let (Decision::Go { .. }, Some(lead)) = (&decision, lead) {
        record(app, lead, visit, want);
    }
    Ok((decision, now))
}

/// Records a visit that was sent on, whoever made it.
fn record(app: &Parts, lead: Lead<'_>, visit: Visit<'_>, want: Want<'_>) {
    if app.recorder.is_recording() {
        app.recorder.record(Visited {
            link: lead.link,
            at: app.clock.now(),
            kind: visit.kind,
            network: want.origin.client(&app.guard.proxies).network(),
            fields: want.asked.visitor.fields,
        });
    }
}

/// Counts that a client asked for what is not there. A link that is switched off, or whose time has not come, counts as none,
/// or the answers would tell them apart.
fn count_absence(app: &Parts, want: Want<'_>) -> Result<(), TooMany> {
    let Some(unknown) = &app.guard.unknown else { return Ok(()) };
    let client = want.origin.client(&app.guard.proxies);
    let counted = unknown.ask(client, want.code, app.clock.monotonic());
    counted.inspect_err(|_| app.metrics.visit(Outcome::Limited))
}

/// What time it is, for a link to which that matters: the others are at any time what they are.
fn time_for(app: &Parts, lead: Option<Lead<'_>>) -> Timestamp {
    if lead.is_some_and(|lead| lead.rules.has_schedule()) { app.clock.now() } else { Timestamp::from_millis(0) }
}

/// The store could not say.
fn failed(app: &Parts, error: &Error, asked: Asked<'_>) -> Response {
    app.metrics.visit(Outcome::Failed);
    response::failed(app, error, asked.wants_html)
}

/// The answer to a method that links do not have.
pub(crate) fn not_a_visit() -> Response {
    response::method_not_allowed()
}
