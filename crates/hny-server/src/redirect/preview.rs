//! The preview of a link: `/{code}+` says where it leads, without going. Its form reports abuse.

use axum::body::Body;
use hny_domain::{AbuseInput, Code, Decision, DomainId, Link, decide};
use hny_guard::{Pseudonyms, TooMany};
use http::Method;
use http::request::Parts as Head;

use super::refusal::Refusal;
use super::{Asked, Granted, Sender, Want, claims, count_absence, find, harm, response, time_for};
use crate::app::Parts;
use crate::body::Response;
use crate::extract::{Form, invalid};
use crate::origin::Origin;
use crate::pages;

/// Whoever asks about a link.
struct Asking<'a> {
    app: &'a Parts,
    code: &'a Code,
    want: Want<'a>,
    sender: Sender,
}

/// The answer to whoever asks for the preview of this code, or sends its form.
pub(crate) async fn answer(
    app: &Parts,
    (domain, code): (Option<DomainId>, &Code),
    (head, body): (&Head, Body),
    origin: Origin<'_>,
) -> Response {
    // What looks only is no visit: nothing is counted, and no click is used up.
    let asked = Asked { query: None, ..Asked::of(&Method::HEAD, &head.uri, None, &head.headers) };
    let sender = Sender::of(app, origin, None);
    let want = Want { domain, code: code.as_str(), asked, origin: Origin::Known(sender.client) };
    let asking = Asking { app, code, want, sender };
    let answered = match head.method {
        Method::GET | Method::HEAD => asking.shown().await,
        Method::POST if Form::is_sent(&head.headers) => asking.reported(head, body).await,
        _ => Ok(response::preview_has_not()),
    };
    answered.unwrap_or_else(|refusal| refusal.into_response(app, asked.wants_html))
}

impl Asking<'_> {
    /// Shows where the link leads, unless that is a secret.
    async fn shown(&self) -> Result<Response, Refusal> {
        let link = self.link().await?;
        let short_url = self.app.domains.base_of(link.domain).short_url(&link.code);
        Ok(pages::preview(&link, &short_url, self.app.base.prefix()))
    }

    /// Keeps a report of abuse. That enough of them are there is nothing that a reporter has to know.
    async fn reported(&self, head: &Head, body: Body) -> Result<Response, Refusal> {
        let form = Form::read(self.app, &head.headers, body).await?;
        let input = AbuseInput { reason: form.field("reason"), detail: form.field("detail") };
        let abuse = input.check().map_err(invalid)?;
        let link = self.link().await?;
        let client = self.sender.client;
        if let Some(reports) = &self.app.guard.reports {
            let taken = reports.take(client, self.app.clock.monotonic()).await;
            taken.map_err(|refused| self.too_many_reports(refused))?;
        }
        self.app.abuse.report(&link, abuse, |key| Pseudonyms::of_day(key).name(client)).await?;
        Ok(pages::thanks(self.app.base.prefix()))
    }

    /// The link, if visitors would find it now.
    async fn link(&self) -> Result<Link, Refusal> {
        let app = self.app;
        let Some(domain) = self.want.domain else { return Err(self.absent()) };
        let place = (domain, self.code);
        let found = find(app, place, self.sender.client).await;
        let found = found.map_err(|error| Refusal::of_look_up(app, error, self.want.asked.wants_html))?;
        let Some(found) = found else { return Err(self.absent()) };
        let granted = claims::claim(app, &found, (self.want.asked, Granted::default()), None).await?;
        // What is shown is decided about, and not what the cache had.
        let link = app.links.find_for_visit(place).await?.ok_or_else(|| self.absent())?;
        let visit = self.want.asked.visit(harm::hazard_of(app, link.lead()), granted);
        match decide(Some(link.lead()), visit, app.defaults, time_for(app, Some(link.lead()))) {
            Decision::Go { .. } | Decision::AskPassword | Decision::Withhold => Ok(link),
            Decision::Absent => Err(self.absent()),
            // Nobody is sent on from here.
            Decision::Gone { .. } => Err(self.response(&Decision::Gone { expired_url: None })),
            decision => Err(self.response(&decision)),
        }
    }

    /// Visitors find none.
    fn absent(&self) -> Refusal {
        match count_absence(self.app, self.want) {
            Ok(()) => self.response(&Decision::Absent),
            Err(refused) => response::too_many(self.app, refused, self.want.asked.wants_html).into(),
        }
    }

    fn response(&self, decision: &Decision<'_>) -> Refusal {
        // The time matters to redirects only.
        let now = hny_domain::Timestamp::from_millis(0);
        response::of(self.app, decision, self.want.asked.wants_html, now).into()
    }

    fn too_many_reports(&self, refused: TooMany) -> Refusal {
        response::too_many_reports(self.app, refused, self.want.asked.wants_html).into()
    }
}
