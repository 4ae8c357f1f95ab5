//! The plain road: from the bytes of a visit to the bytes of its answer.
//!
//! A hot redirect takes no lock and never waits, and an answer is written where it is sent from. Where clicks are recorded it makes one
//! allocation and reads the clock for that; else neither.

use std::borrow::Cow;

use hny_domain::code::MAX_LENGTH;
use hny_domain::{Code, Decision, DomainId, reserved};
use hny_guard::TooMany;
use hny_resolve::{Cached, Found};

use super::bytes::{self, Ending};
use super::notices::Notices;
use super::path::{self, Named};
use super::{
    Asked, Granted, LookUpError, Resolved, Sender, Want, decided, failed, is_locked, look_up, respond, response, token,
};
use crate::app::{App, Parts};
use crate::cache_policy::CachePolicy;
use crate::connection::is_of_query;
use crate::origin::Origin;
use crate::visitor::{self, KeptVisitor};

/// A request for what may be a short link, as it came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PlainVisit<'a> {
    /// The path.
    pub(crate) path: &'a str,
    /// The host that the client has in mind.
    pub(crate) host: Option<&'a [u8]>,
    /// The rest.
    pub(crate) asked: Asked<'a>,
}

/// A visit whose link has to be looked up.
#[derive(Debug)]
pub(crate) struct Wanted {
    domain: DomainId,
    code: Code,
    query: Option<String>,
    rest: Option<String>,
    is_head: bool,
    wants_html: bool,
    visitor: KeptVisitor,
    sender: Sender,
}

impl Wanted {
    fn new(app: &Parts, (domain, code): (DomainId, Code), Want { asked, origin, .. }: Want<'_>) -> Self {
        let Asked { query, rest, is_head, wants_html, visitor } = asked;
        let (token, query) = token::take_out(query);
        let (query, rest) = (query.map(Cow::into_owned), rest.map(ToOwned::to_owned));
        let (visitor, sender) = (KeptVisitor::new(visitor), Sender::of(app, origin, token));
        Self { domain, code, query, rest, is_head, wants_html, visitor, sender }
    }

    fn want(&self) -> Want<'_> {
        let origin = Origin::Known(self.sender.client);
        Want { domain: Some(self.domain), code: self.code.as_str(), asked: self.asked(), origin }
    }

    fn asked(&self) -> Asked<'_> {
        let (query, rest, visitor) = (self.query.as_deref(), self.rest.as_deref(), self.visitor.visitor());
        Asked { query, rest, is_head: self.is_head, wants_html: self.wants_html, visitor }
    }
}

/// A visit, and what the store said of its link.
#[derive(Debug)]
pub(crate) struct LookedUp {
    wanted: Wanted,
    found: Result<Resolved, LookUpError>,
}

/// What became of a visit.
#[derive(Debug)]
pub(crate) enum Hit {
    /// The answer is written.
    Answered,
    /// It can be answered when the store was asked.
    LookUp(Wanted),
    /// It is not for a link, or not plainly.
    NotALink,
}

/// Who answers visits.
#[derive(Debug)]
pub(crate) struct Road {
    app: App,
    notices: Notices,
}

impl Road {
    pub(crate) fn new(app: App) -> Self {
        visitor::prepare();
        Self { notices: Notices::new(&app), app }
    }

    /// Has the processor fetch what the answer to this request will need, if it is for a link of the first domain, while other things
    /// are done.
    pub(crate) fn expect(&self, request: &[u8]) {
        let path = request.strip_prefix(b"GET ").and_then(|rest| rest.strip_prefix(self.app.base.prefix().as_bytes()));
        let Some(path) = path.and_then(|path| path.strip_prefix(b"/")) else { return };
        let end = path.iter().take(MAX_LENGTH + 1).position(|byte| matches!(byte, b' ' | b'?' | b'/'));
        if let Some(Ok(code)) = end.map(|end| std::str::from_utf8(&path[..end])) {
            self.app.resolver.expect(DomainId::BASE, code);
        }
    }

    /// Answers from the cache, behind what is in `output`.
    pub(crate) fn answer(
        &self,
        visit: PlainVisit<'_>,
        origin: Origin<'_>,
        ending: &Ending,
        output: &mut Vec<u8>,
    ) -> Hit {
        let path = path::without_prefix(visit.path, self.app.base.prefix());
        let Some(Named { code: Cow::Borrowed(code), rest }) = path::named(path) else {
            return Hit::NotALink;
        };
        if rest.is_some_and(|rest| !rest.bytes().all(is_of_query)) {
            return Hit::NotALink;
        }
        let domain = self.app.domains.of_visit(visit.host);
        let want = Want { domain, code, asked: Asked { rest, ..visit.asked }, origin };
        if token::may_be_in(visit.asked.query) {
            return self.look_up_first(want, ending, output);
        }
        let cached = domain.map_or(Cached::Unknown, |domain| self.app.resolver.cached(domain, code));
        match cached {
            Cached::Link(link) if link.rules().is_limited => return self.look_up_first(want, ending, output),
            Cached::Link(link) => self.put(Some(&link), want, Granted::default(), ending, output),
            Cached::Absent => self.put(None, want, Granted::default(), ending, output),
            // Our own words are looked up last: they never are links, so they never are in the cache.
            Cached::Unknown => return self.look_up_first(want, ending, output),
        }
        Hit::Answered
    }

    /// What has to be looked up, if it may be a link.
    fn look_up_first(&self, want: Want<'_>, ending: &Ending, output: &mut Vec<u8>) -> Hit {
        let Some(code) = Code::parse(want.code).ok().filter(|code| !reserved::is_own(code.as_str())) else {
            return Hit::NotALink;
        };
        let Some(domain) = want.domain else {
            self.put(None, want, Granted::default(), ending, output);
            return Hit::Answered;
        };
        Hit::LookUp(Wanted::new(&self.app, (domain, code), want))
    }

    /// Asks the store.
    pub(crate) fn look_up(&self, wanted: Wanted) -> impl Future<Output = LookedUp> + Send + use<> {
        let app = App::clone(&self.app);
        async move {
            let found = look_up(&app, (wanted.domain, &wanted.code), wanted.asked(), &wanted.sender).await;
            LookedUp { wanted, found }
        }
    }

    /// Answers with what the store said.
    pub(crate) fn answer_found(&self, looked_up: LookedUp, ending: &Ending, output: &mut Vec<u8>) {
        let LookedUp { wanted, found } = looked_up;
        let asked = wanted.asked();
        match found {
            Ok(Resolved { link, granted }) => {
                self.put(link.as_ref(), wanted.want(), granted, ending, output);
            }
            Err(LookUpError::Failed(error)) => {
                bytes::put_response(&failed(&self.app, &error, asked), asked.is_head, ending, output);
            }
            Err(LookUpError::TooMany(refused)) => self.put_limited(refused, asked, ending, output),
        }
    }

    fn put_limited(&self, refused: TooMany, asked: Asked<'_>, ending: &Ending, output: &mut Vec<u8>) {
        self.notices.limited(asked.wants_html).put_with_wait(refused, asked.is_head, ending, output);
    }

    fn put(&self, link: Option<&Found>, want: Want<'_>, granted: Granted, ending: &Ending, output: &mut Vec<u8>) {
        let asked = want.asked;
        let (decision, now) = match decided(&self.app, link, want, granted) {
            Ok(decided) => decided,
            Err(refused) => return self.put_limited(refused, asked, ending, output),
        };
        match &decision {
            Decision::Go { location, status, until } if !is_locked(link) => {
                let policy = CachePolicy::of_redirect(*status, until.map(|end| now.until(end)));
                if !bytes::put_redirect(location, *status, policy, ending, output) {
                    bytes::put_response(&response::damaged(), asked.is_head, ending, output);
                }
            }
            Decision::Gone { expired_url: None } => {
                self.notices.gone(asked.wants_html).put(asked.is_head, ending, output);
            }
            Decision::Absent => self.notices.absent(asked.wants_html).put(asked.is_head, ending, output),
            Decision::AskPassword => self.notices.locked().put(asked.is_head, ending, output),
            Decision::Withhold => self.notices.private().put(asked.is_head, ending, output),
            // Rare ones, made anew each time.
            rare => {
                let response = respond(&self.app, link, rare, (asked, now));
                bytes::put_response(&response, asked.is_head, ending, output);
            }
        }
    }
}
