//! The forms of links: whoever knows the password, or follows a private link though their program is taken for a robot, goes on.

use axum::body::Body;
use hny_domain::{Code, Decision, DomainId, Lead, decide};
use hny_resolve::Found;
use http::Method;
use http::request::Parts as Head;

use super::refusal::Refusal;
use super::{Asked, Granted, Sender, Want, claims, count_absence, decided, find, harm, response, time_for, token};
use crate::app::Parts;
use crate::body::Response;
use crate::extract::Form;
use crate::metrics::Outcome;
use crate::origin::Origin;

/// The name of the field with the password.
const FIELD: &str = "password";

/// The answer to a form that was sent to the path of this code.
pub(crate) async fn sent(
    app: &Parts,
    (domain, code, rest): (Option<DomainId>, &Code, Option<&str>),
    (head, body): (&Head, Body),
    origin: Origin<'_>,
) -> Response {
    // What counts is the visit that it is for: its answer sends the browser on by GET.
    let asked = Asked::of(&Method::GET, &head.uri, rest, &head.headers);
    let (_, query) = token::take_out(asked.query);
    let asked = Asked { query: query.as_deref(), ..asked };
    let sender = Sender::of(app, origin, None);
    let want = Want { domain, code: code.as_str(), asked, origin: Origin::Known(sender.client) };
    let answered = async {
        let form = Form::read(app, &head.headers, body).await?;
        opened(app, code, (want, &sender), form.field(FIELD).unwrap_or_default()).await
    };
    answered.await.unwrap_or_else(|refusal: Refusal| refusal.into_response(app, asked.wants_html))
}

/// Opens the link, if this is its password or it has none.
async fn opened(
    app: &Parts,
    code: &Code,
    (want, sender): (Want<'_>, &Sender),
    password: &str,
) -> Result<Response, Refusal> {
    let Some(domain) = want.domain else { return Err(absent(app, want)) };
    let place = (domain, code);
    let found = find(app, place, sender.client).await;
    let found = found.map_err(|error| Refusal::of_look_up(app, error, want.asked.wants_html))?;
    let granted = Granted { by_form: true, ..Granted::default() };
    let link = with_form(app, found.as_ref(), (want, granted))?;
    let is_locked = link.rules().is_locked;
    if is_locked && !is_right(app, (place, link.lead()), (want, sender), password).await? {
        app.metrics.visit(Outcome::WrongPassword);
        return Ok(response::wrong_password(app));
    }
    let unlocked = Granted { is_unlocked: is_locked, ..granted };
    let granted = claims::claim(app, link, (want.asked, unlocked), sender.id.clone()).await?;
    Ok(led_on(app, link, want, granted))
}

/// The link, if its page has a form; else what there is to say.
fn with_form<'a>(
    app: &Parts,
    link: Option<&'a Found>,
    (want, granted): (Want<'_>, Granted),
) -> Result<&'a Found, Refusal> {
    let Some(link) = link else { return Err(absent(app, want)) };
    let now = time_for(app, Some(link.lead()));
    let visit = want.asked.visit(harm::hazard(app, link), granted);
    match harm::screened(app, Some(link.lead()), decide(Some(link.lead()), visit, app.defaults, now)) {
        Decision::AskPassword => Ok(link),
        Decision::Go { .. } | Decision::Claim if link.rules().is_private => Ok(link),
        Decision::Absent => Err(absent(app, want)),
        // Other links have none.
        Decision::Go { .. } | Decision::Claim | Decision::TooEarly => Err(response::method_not_allowed().into()),
        decision => Err(response::of(app, &decision, want.asked.wants_html, now).into()),
    }
}

/// There is no link, so there is no form. Whoever looks for links by sending forms is slowed as others are.
fn absent(app: &Parts, want: Want<'_>) -> Refusal {
    match count_absence(app, want) {
        Ok(()) => response::method_not_allowed().into(),
        Err(refused) => response::too_many(app, refused, want.asked.wants_html).into(),
    }
}

/// Whether it is the password of the link. Only so many are looked at that are not.
async fn is_right(
    app: &Parts,
    (place, lead): ((DomainId, &Code), Lead<'_>),
    (want, sender): (Want<'_>, &Sender),
    password: &str,
) -> Result<bool, Refusal> {
    let attempt =
        app.guard.attempts.begin(sender.client, lead.link, app.clock.monotonic()).await.map_err(|refused| {
            app.metrics.visit(Outcome::Limited);
            response::too_many_passwords(app, refused, want.asked.wants_html)
        })?;
    let checked = check(app, place, lead, password).await;
    if !matches!(checked, Ok(false)) {
        app.guard.attempts.give_back(attempt, app.clock.monotonic()).await;
    }
    checked
}

/// The password is that of now, not that of a while ago: it is in no cache.
async fn check(app: &Parts, place: (DomainId, &Code), lead: Lead<'_>, password: &str) -> Result<bool, Refusal> {
    let link = app.links.find_for_visit(place).await?.filter(|link| link.id == lead.link);
    match link.and_then(|link| link.password) {
        Some(hash) => Ok(app.guard.passwords.verify(password, &hash).await?),
        None => Ok(false),
    }
}

/// The answer to the visit of somebody whom the form lets through.
fn led_on(app: &Parts, link: &Found, want: Want<'_>, granted: Granted) -> Response {
    match decided(app, Some(link), want, granted) {
        Ok((Decision::Go { location, .. }, _)) => response::opened(&location),
        Ok((decision, now)) => response::of(app, &decision, want.asked.wants_html, now),
        Err(refused) => response::too_many(app, refused, want.asked.wants_html),
    }
}
