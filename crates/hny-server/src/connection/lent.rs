//! Lending a connection to hyper for one request.
//!
//! Hyper is given exactly the bytes of that request, then the end: so it answers, sends everything, and is done, and what comes
//! behind is ours again. Where the extent of a request cannot be told it keeps the connection.

use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker, ready};

use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

use super::MAX_HEAD;
use super::head::Extent;
use super::phase::Phase;
use super::watched::WatchedService;
use crate::front::Answering;

/// Has hyper answer the request that begins with `bytes`; whether the connection may go on after it.
///
/// While the node is closing the answer says that it is the last one; when it is closed, a request that is on its way is
/// answered and nothing new begins.
pub(super) async fn lend(
    stream: &mut TcpStream,
    bytes: Vec<u8>,
    extent: Extent,
    service: WatchedService<impl Answering>,
) -> bool {
    let phase = Arc::clone(&service.phase);
    let mut connection = http1::Builder::new()
        .header_read_timeout(None)
        // Who has sent everything may say so, and is answered all the same.
        .half_close(true)
        .max_header_size(MAX_HEAD)
        .serve_connection(TokioIo::new(Lent::new(stream, bytes, extent, Arc::clone(&phase))), service);
    let mut is_closed = false;
    let served = poll_fn(|cx| {
        // Before looking at what it would be woken for.
        phase.waken_by(cx.waker());
        if phase.is_over() {
            return Poll::Ready(false);
        }
        // Before hyper goes on, so that no answer is made without knowing it.
        if phase.is_closed() && !is_closed {
            is_closed = true;
            if !phase.expects_request() {
                Pin::new(&mut connection).graceful_shutdown();
            }
        }
        // An error here is a client that left or sent no HTTP: nothing to be done, and nothing to be logged for each.
        Pin::new(&mut connection).poll(cx).map(|ended| ended.is_ok())
    });
    served.await && connection.into_parts().io.into_inner().is_at_end
}

/// How much is read at once.
const READ: usize = 4096;

/// A stream that ends behind one request, once that is answered.
struct Lent<'a> {
    stream: &'a mut TcpStream,
    phase: Arc<Phase>,
    /// What has come of the request.
    bytes: Vec<u8>,
    given: usize,
    /// What is still to come of it; `None` has no end.
    left: Option<u64>,
    /// Whether hyper has begun to answer.
    has_written: bool,
    /// Whether it has, and all that it wrote is sent.
    is_sent: bool,
    /// Whether the end was reached and told.
    is_at_end: bool,
    /// Who waits for the end.
    waiting: Option<Waker>,
}

impl<'a> Lent<'a> {
    fn new(stream: &'a mut TcpStream, bytes: Vec<u8>, extent: Extent, phase: Arc<Phase>) -> Self {
        let left = match extent {
            Extent::Bytes(all) => Some(all.saturating_sub(bytes.len() as u64)),
            Extent::Unknown => None,
        };
        Self {
            stream,
            phase,
            bytes,
            given: 0,
            left,
            has_written: false,
            is_sent: false,
            is_at_end: false,
            waiting: None,
        }
    }

    /// All was given: the end comes when all is sent, for until then hyper would take it for that of a client that left.
    fn poll_end(&mut self, cx: &Context<'_>) -> Poll<io::Result<()>> {
        if self.is_sent {
            self.is_at_end = true;
            return Poll::Ready(Ok(()));
        }
        self.waiting = Some(cx.waker().clone());
        Poll::Pending
    }

    fn poll_stream(&mut self, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let room = self.left.map_or(READ, |left| usize::try_from(left).map_or(READ, |left| left.min(READ)));
        let mut part = ReadBuf::new(buffer.initialize_unfilled_to(room.min(buffer.remaining())));
        ready!(Pin::new(&mut *self.stream).poll_read(cx, &mut part))?;
        let read = part.filled().len();
        buffer.advance(read);
        if let Some(left) = &mut self.left {
            *left -= read as u64;
        }
        if read > 0 {
            self.phase.received();
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncRead for Lent<'_> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let rest = &self.bytes[self.given..];
        if !rest.is_empty() {
            let part = rest.len().min(buffer.remaining());
            buffer.put_slice(&rest[..part]);
            self.given += part;
            return Poll::Ready(Ok(()));
        }
        if self.left == Some(0) { self.poll_end(cx) } else { self.poll_stream(cx, buffer) }
    }
}

impl AsyncWrite for Lent<'_> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        (self.has_written, self.is_sent) = (true, false);
        let written = ready!(Pin::new(&mut *self.stream).poll_write(cx, bytes));
        self.phase.sent();
        Poll::Ready(written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        (self.has_written, self.is_sent) = (true, false);
        let written = ready!(Pin::new(&mut *self.stream).poll_write_vectored(cx, slices));
        self.phase.sent();
        Poll::Ready(written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    /// Called when hyper has nothing more to send.
    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(Pin::new(&mut *self.stream).poll_flush(cx))?;
        self.is_sent = self.has_written;
        if self.is_sent
            && let Some(waiting) = self.waiting.take()
        {
            waiting.wake();
        }
        Poll::Ready(Ok(()))
    }

    /// The stream goes on when only what was lent has ended.
    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        if self.is_at_end { Poll::Ready(Ok(())) } else { Pin::new(&mut *self.stream).poll_shutdown(cx) }
    }
}
