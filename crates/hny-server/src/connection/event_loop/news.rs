//! What others tell a loop.

use std::sync::Arc;
use std::task::{Wake, Waker};

use mio::net::TcpStream;
use tokio::sync::mpsc::UnboundedSender;

use super::look_up::Asker;
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
}

/// Has the loop look at the connection with this token. Where another has got the token since, that is looked at for nothing.
pub(super) fn waker(token: usize, news: UnboundedSender<News>) -> Waker {
    Arc::new(Bell { token, news }).into()
}

struct Bell {
    token: usize,
    news: UnboundedSender<News>,
}

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        // Fails when the loop is gone, and its connections with it.
        let _ = self.news.send(News::Woken(self.token));
    }
}
