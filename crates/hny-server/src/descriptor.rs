//! Having the runtime watch what it does not know: sockets and polls that are not its own.

use std::io;
use std::os::fd::AsRawFd;

use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

/// Has the runtime say when `owner` has something to read. Needs a tokio runtime; fails when the system cannot watch it.
///
/// `owner` must own its descriptor, and have the same as long as it lives, as sockets and polls do.
pub(crate) fn watch<T: AsRawFd>(owner: T) -> io::Result<AsyncFd<T>> {
    #[expect(deprecated, reason = "the other way is `unsafe`, because of types that do not own what they name")]
    AsyncFd::with_interest(owner, Interest::READABLE)
}
