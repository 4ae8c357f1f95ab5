//! The first step of every request: a code goes to the redirect, everything else to the router.

use std::future::Future;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use hny_domain::{Code, reserved};
use http::header::{CONTENT_LENGTH, HOST};
use http::uri::PathAndQuery;
use http::{HeaderMap, HeaderValue, Method, StatusCode, Uri};
use hyper::Request;
use hyper::body::Incoming;
use tower::ServiceExt;

use crate::app::App;
use crate::body::{Body, Response};
use crate::extract::Form;
use crate::origin::{Origin, Peer};
use crate::redirect::path::{Named, named};
use crate::redirect::{self, Asked, Road, Want};

mod without_links;

pub(crate) use without_links::FrontWithoutLinks;

/// What a connection talks to.
pub(crate) trait Answering: Clone + Send + Sync + Unpin + 'static {
    /// The answer to a request from this peer.
    fn answer(&self, request: Request<Incoming>, peer: IpAddr) -> Answer;

    /// Who answers visits before they become requests, if there are any.
    fn road(&self) -> Option<&Road>;
}

/// What visitors and callers talk to. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Front {
    app: App,
    road: Arc<Road>,
    router: axum::Router,
}

/// What only operators talk to: a router, and no codes.
#[derive(Clone)]
pub(crate) struct Backstage(pub(crate) axum::Router);

/// An answer that is ready, as every hot redirect is, or one that has to wait for something.
pub(crate) enum Answer {
    Ready(Option<Response>),
    Waiting(Pin<Box<dyn Future<Output = Response> + Send>>),
}

impl Front {
    pub(crate) fn new(app: App, router: axum::Router) -> Self {
        let road = Arc::new(Road::new(App::clone(&app)));
        Self { app, road, router }
    }

    /// What the path says, if it may be that of a link.
    fn named<'a>(&self, uri: &'a Uri) -> Option<Named<'a>> {
        named(redirect::path::without_prefix(uri.path(), self.app.base.prefix()))
    }

    /// The answer to a path that is no code, but may be the preview of one.
    fn answer_preview(&self, request: Request<Incoming>, peer: IpAddr) -> Answer {
        let path = redirect::path::without_prefix(request.uri().path(), self.app.base.prefix());
        match redirect::path::previewed(path).and_then(|code| link_code(&code)) {
            Some(code) => {
                let (app, (head, body)) = (self.app.clone(), request.into_parts());
                let domain = app.domains.of_visit(host(&head.uri, &head.headers));
                Answer::Waiting(Box::pin(async move {
                    let (body, origin) = (axum::body::Body::new(body), Origin::Read(peer, &head.headers));
                    redirect::preview::answer(&app, (domain, &code), (&head, body), origin).await
                }))
            }
            None => self.route(request, peer),
        }
    }

    /// The answer to a method that links do not have, but for the form of those that have one.
    fn answer_form(&self, request: Request<Incoming>, peer: IpAddr) -> Answer {
        let named = self.named(request.uri());
        let Some((code, rest)) = named.and_then(|Named { code, rest }| Some((link_code(&code)?, rest))) else {
            return self.route(request, peer);
        };
        if request.method() != Method::POST || !Form::is_sent(request.headers()) {
            return ready(redirect::not_a_visit());
        }
        let (app, rest, (head, body)) = (self.app.clone(), rest.map(ToOwned::to_owned), request.into_parts());
        let domain = app.domains.of_visit(host(&head.uri, &head.headers));
        Answer::Waiting(Box::pin(async move {
            let (body, origin) = (axum::body::Body::new(body), Origin::Read(peer, &head.headers));
            redirect::form::sent(&app, (domain, &code, rest.as_deref()), (&head, body), origin).await
        }))
    }

    fn route(&self, request: Request<Incoming>, peer: IpAddr) -> Answer {
        route(&self.router, self.app.base.prefix(), request, peer)
    }
}

/// The code, if it can be that of a link.
fn link_code(text: &str) -> Option<Code> {
    Code::parse(text).ok().filter(|code| !reserved::is_own(code.as_str()))
}

/// The router counts the bytes of every answer to HEAD; a 204 must not have a length (RFC 9110, section 8.6).
fn without_length_of_nothing(mut response: Response) -> Response {
    if response.status() == StatusCode::NO_CONTENT {
        response.headers_mut().remove(CONTENT_LENGTH);
    }
    response
}

/// The host that a client has in mind. One in the request line counts before that in the field (RFC 9112, section 3.2.2).
fn host<'a>(uri: &'a Uri, headers: &'a HeaderMap) -> Option<&'a [u8]> {
    uri.host().map(str::as_bytes).or_else(|| headers.get(HOST).map(HeaderValue::as_bytes))
}

fn ready(response: Response) -> Answer {
    Answer::Ready(Some(response))
}

/// The URI for the router, which knows its paths without the prefix; `None` leaves it as it is.
fn uri_without_prefix(uri: &Uri, prefix: &str) -> Option<Uri> {
    let path = redirect::path::without_prefix(uri.path(), prefix);
    if path.len() == uri.path().len() {
        return None;
    }
    let path_and_query = match uri.query() {
        Some(query) => PathAndQuery::try_from(format!("{path}?{query}")),
        None => PathAndQuery::try_from(path),
    };
    path_and_query.ok().map(Uri::from)
}

impl Answering for Front {
    fn answer(&self, request: Request<Incoming>, peer: IpAddr) -> Answer {
        let Some(Named { code, rest }) = self.named(request.uri()) else {
            return self.answer_preview(request, peer);
        };
        if !redirect::is_visit(request.method()) {
            return self.answer_form(request, peer);
        }
        let asked = Asked::of(request.method(), request.uri(), rest, request.headers());
        let domain = self.app.domains.of_visit(host(request.uri(), request.headers()));
        let want = Want { domain, code: &code, asked, origin: Origin::Read(peer, request.headers()) };
        if reserved::is_own(&code) {
            return self.route(request, peer);
        }
        if let Some(response) = redirect::from_cache(&self.app, want) {
            return ready(response);
        }
        match (domain, link_code(&code)) {
            (Some(domain), Some(code)) => {
                let (app, rest, (head, _)) = (self.app.clone(), rest.map(ToOwned::to_owned), request.into_parts());
                Answer::Waiting(Box::pin(async move {
                    let asked = Asked::of(&head.method, &head.uri, rest.as_deref(), &head.headers);
                    redirect::resolved(&app, (domain, &code), asked, Origin::Read(peer, &head.headers)).await
                }))
            }
            _ => self.route(request, peer),
        }
    }

    fn road(&self) -> Option<&Road> {
        Some(&self.road)
    }
}

impl Answering for Backstage {
    fn answer(&self, request: Request<Incoming>, _: IpAddr) -> Answer {
        through(&self.0, request)
    }

    fn road(&self) -> Option<&Road> {
        None
    }
}

/// Has a router answer that knows its paths without the prefix.
fn route(router: &axum::Router, prefix: &str, mut request: Request<Incoming>, peer: IpAddr) -> Answer {
    request.extensions_mut().insert(Peer(peer));
    if let Some(uri) = uri_without_prefix(request.uri(), prefix) {
        *request.uri_mut() = uri;
    }
    through(router, request)
}

/// Has a router answer.
fn through(router: &axum::Router, request: Request<Incoming>) -> Answer {
    let answer = router.clone().oneshot(request.map(axum::body::Body::new));
    Answer::Waiting(Box::pin(async move {
        match answer.await {
            Ok(response) => without_length_of_nothing(response.map(Body::Router)),
            Err(never) => match never {},
        }
    }))
}

impl Future for Answer {
    type Output = Response;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Response> {
        match self.get_mut() {
            Self::Ready(response) => response.take().map_or(Poll::Pending, Poll::Ready),
            Self::Waiting(response) => response.as_mut().poll(cx),
        }
    }
}
