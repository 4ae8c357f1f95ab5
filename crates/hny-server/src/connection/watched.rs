//! A service that says what the connection is doing.

use std::future::Future;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use http::HeaderValue;
use http::header::CONNECTION;
use hyper::Request;
use hyper::body::Incoming;
use hyper::service::Service;

use super::phase::Phase;
use crate::body::{Never, Response};
use crate::front::{Answer, Answering};

/// A service that notes when a request is being answered.
pub(super) struct WatchedService<S> {
    service: S,
    /// Who is at the other end.
    peer: IpAddr,
    pub(super) phase: Arc<Phase>,
}

impl<S> WatchedService<S> {
    pub(super) fn new(service: S, peer: IpAddr, phase: Arc<Phase>) -> Self {
        Self { service, peer, phase }
    }
}

impl<S: Answering> Service<Request<Incoming>> for WatchedService<S> {
    type Response = Response;
    type Error = Never;
    type Future = WatchedAnswer;

    fn call(&self, request: Request<Incoming>) -> WatchedAnswer {
        self.phase.serving();
        WatchedAnswer { answer: self.service.answer(request, self.peer), phase: Arc::clone(&self.phase) }
    }
}

/// An answer that notes when it is there, and says so when it is the last one.
pub(super) struct WatchedAnswer {
    answer: Answer,
    phase: Arc<Phase>,
}

impl Future for WatchedAnswer {
    type Output = Result<Response, Never>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let mut response = ready!(Pin::new(&mut self.answer).poll(cx));
        self.phase.answered();
        if self.phase.is_closing() {
            response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
        }
        Poll::Ready(Ok(response))
    }
}
