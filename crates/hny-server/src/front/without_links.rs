//! The front of a node without the role `redirect`.

use std::net::IpAddr;

use hny_domain::reserved;
use hyper::Request;
use hyper::body::Incoming;

use super::{Answer, Answering, ready, route};
use crate::app::App;
use crate::problem;
use crate::redirect::{Road, path};

/// A router, and for short links the word that another node answers them.
#[derive(Clone)]
pub(crate) struct FrontWithoutLinks {
    app: App,
    router: axum::Router,
}

impl FrontWithoutLinks {
    pub(crate) fn new(app: App, router: axum::Router) -> Self {
        Self { app, router }
    }
}

impl Answering for FrontWithoutLinks {
    fn answer(&self, request: Request<Incoming>, peer: IpAddr) -> Answer {
        let prefix = self.app.base.prefix();
        let path = path::without_prefix(request.uri().path(), prefix);
        match path::named(path).map(|named| named.code).or_else(|| path::previewed(path)) {
            Some(code) if !reserved::is_own(&code) => {
                ready(problem::misdirected(&self.app, problem::wants_html(request.headers())))
            }
            _ => route(&self.router, prefix, request, peer),
        }
    }

    fn road(&self) -> Option<&Road> {
        None
    }
}
