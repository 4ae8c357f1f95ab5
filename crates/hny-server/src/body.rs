//! The body of a response.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http_body::{Frame, SizeHint};

/// The body of a response: mostly nothing, sometimes bytes that are ready, seldom what the router streams.
#[derive(Debug)]
pub(crate) enum Body {
    /// Nothing.
    Empty,
    /// All of it.
    Full(Bytes),
    /// Whatever a handler behind the router made.
    Router(axum::body::Body),
}

/// An answer of the server.
pub(crate) type Response = http::Response<Body>;

impl From<Vec<u8>> for Body {
    fn from(bytes: Vec<u8>) -> Self {
        Self::Full(bytes.into())
    }
}

impl http_body::Body for Body {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let body = self.get_mut();
        match body {
            Self::Empty => Poll::Ready(None),
            Self::Full(bytes) => {
                let bytes = std::mem::take(bytes);
                *body = Self::Empty;
                Poll::Ready(Some(Ok(Frame::data(bytes))))
            }
            Self::Router(body) => Pin::new(body).poll_frame(cx),
        }
    }

    fn is_end_stream(&self) -> bool {
        match self {
            Self::Empty => true,
            Self::Full(bytes) => bytes.is_empty(),
            Self::Router(body) => body.is_end_stream(),
        }
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            Self::Empty => SizeHint::with_exact(0),
            Self::Full(bytes) => SizeHint::with_exact(bytes.len() as u64),
            Self::Router(body) => body.size_hint(),
        }
    }
}

/// A response of ours as one that a handler behind the router may return.
pub(crate) fn for_router(response: Response) -> axum::response::Response {
    response.map(|body| match body {
        Body::Empty => axum::body::Body::empty(),
        Body::Full(bytes) => axum::body::Body::from(bytes),
        Body::Router(body) => body,
    })
}

/// The error of a service that has none.
pub(crate) type Never = Infallible;
