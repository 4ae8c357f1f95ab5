//! What others tell a loop, and the way to it.

use std::io;
use std::mem::swap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Wake, Waker};

use mio::net::TcpStream;

use crate::connection::exchange::Exchange;
use crate::redirect::LookedUp;

/// Something that a loop is told.
pub(super) enum News {
    /// Here is a connection, new or back from hyper.
    Arrived(TcpStream, Exchange),
    /// Look at the connection with this token: its warden has something to say.
    Woken(usize),
    /// This is what was found for a connection; nothing, if that cannot be said any more.
    LookedUp(Asker, Option<LookedUp>),
    /// Nobody needs the loop any more.
    End,
}

/// For whom a link is looked up: the connection with this token, if it waits for the lookup of this number still.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Asker {
    pub(super) token: usize,
    pub(super) number: u64,
}

/// The way to a loop. Cheap to clone.
#[derive(Clone)]
pub(super) struct Home(Arc<Post>);

struct Post {
    news: Mutex<Vec<News>>,
    waker: mio::Waker,
}

impl Home {
    /// A loop that is woken by `waker`.
    pub(super) fn new(waker: mio::Waker) -> Self {
        Self(Arc::new(Post { news: Mutex::new(Vec::new()), waker }))
    }

    /// Tells the loop. When it is gone, nobody hears.
    pub(super) fn tell(&self, news: impl IntoIterator<Item = News>) {
        let mut all = self.open();
        // Whoever is the first since the loop has heard wakes it.
        let is_first = all.is_empty();
        all.extend(news);
        if is_first && !all.is_empty() {
            drop(all);
            wake(&self.0.waker);
        }
    }

    /// Takes what was told, into `heard`, which is empty.
    pub(super) fn hear(&self, heard: &mut Vec<News>) {
        swap(&mut *self.open(), heard);
    }

    /// Has the loop look at the connection with this token. Where another has got the token since, that is looked at for nothing.
    pub(super) fn waker(&self, token: usize) -> Waker {
        Arc::new(Bell { token, home: self.clone() }).into()
    }

    fn open(&self) -> MutexGuard<'_, Vec<News>> {
        // Nothing is done in there that could panic half way.
        self.0.news.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn wake(waker: &mio::Waker) {
    if let Err(error) = waker.wake() {
        // A write to a counter of the kernel's: it fails when there is no such counter, or the kernel has no memory.
        let error: io::Error = error;
        tracing::error!(%error, "cannot wake an event loop");
    }
}

struct Bell {
    token: usize,
    home: Home,
}

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.home.tell([News::Woken(self.token)]);
    }
}
