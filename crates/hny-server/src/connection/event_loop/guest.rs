//! A connection as a guest of hyper's, on a task of its own, for one request.

use std::io;
use std::net::TcpStream as StdStream;

use mio::net::TcpStream;

use super::news::{Home, News};
use crate::connection::exchange::Exchange;
use crate::connection::head::Extent;
use crate::connection::lent::lend;
use crate::connection::watched::WatchedService;
use crate::front::Answering;

/// Has `service` answer the request, by way of hyper, and sends the connection back to its loop, if it goes on.
pub(super) async fn serve(
    stream: TcpStream,
    mut exchange: Exchange,
    extent: Extent,
    service: impl Answering,
    home: Home,
) {
    let bytes = exchange.take_lent(extent);
    let watched = WatchedService::new(service, exchange.seat.peer, exchange.seat.phase.clone());
    // An error is a connection that the system does not know any more.
    if let Ok(Some(stream)) = answer(stream, bytes, extent, watched).await {
        home.tell([News::Arrived(stream, exchange)]);
    }
}

/// Has hyper answer; the stream, if it goes on.
async fn answer(
    stream: TcpStream,
    bytes: Vec<u8>,
    extent: Extent,
    watched: WatchedService<impl Answering>,
) -> io::Result<Option<TcpStream>> {
    let mut stream = tokio::net::TcpStream::from_std(StdStream::from(stream))?;
    // Boxed, for it is large.
    if Box::pin(lend(&mut stream, bytes, extent, watched)).await {
        Ok(Some(TcpStream::from_std(stream.into_std()?)))
    } else {
        Ok(None)
    }
}
