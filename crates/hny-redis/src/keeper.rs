//! The one task that connects, and hears what Redis has to say unasked.

use std::sync::Arc;
use std::time::Duration;

use redis::{PushInfo, PushKind, Value};
use tokio::sync::{mpsc, watch};
use tokio::time::{interval, sleep};

use crate::message::{Listeners, Message};
use crate::session::Session;
use crate::{Address, Prefix};

/// How long after a session, or after an attempt to have one, the next attempt is made.
const PAUSE: Duration = Duration::from_millis(250);

/// How often somebody looks whether Redis still answers, when nobody asks it.
const LOOK: Duration = Duration::from_secs(1);

/// What the handles and the keeper share.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) prefix: Prefix,
    pub(crate) session: watch::Sender<Option<Arc<Session>>>,
    pub(crate) listeners: Listeners,
}

/// Keeps a session, for as long as it is polled.
pub(crate) async fn keep(shared: Arc<Shared>, address: Address) {
    let mut is_told = false;
    loop {
        let (sender, pushes) = mpsc::unbounded_channel();
        match Session::open(&address, &shared.prefix, sender).await {
            Ok(session) => {
                is_told = false;
                let session = Arc::new(session);
                tracing::info!("Redis answers");
                shared.session.send_replace(Some(Arc::clone(&session)));
                attend(&shared, &session, pushes).await;
                shared.session.send_replace(None);
            }
            Err(error) if is_told => tracing::debug!(%error, "still no Redis"),
            Err(error) => {
                is_told = true;
                tracing::warn!(%error, "cannot reach Redis, and go on without it; trying again until it works");
            }
        }
        sleep(PAUSE).await;
    }
}

/// Hears what is published and looks now and then, until the session is over.
async fn attend(shared: &Shared, session: &Session, mut pushes: mpsc::UnboundedReceiver<PushInfo>) {
    let mut looks = interval(LOOK);
    loop {
        tokio::select! {
            () = session.over() => return,
            _ = looks.tick() => session.look().await,
            push = pushes.recv() => match push {
                Some(PushInfo { kind: PushKind::Message, data }) => hear(shared, &data),
                Some(PushInfo { kind: PushKind::Disconnection, .. }) | None => session.give_up(&"the connection was closed"),
                Some(_) => {}
            },
        }
    }
}

/// Tells the listeners, if it is a message of ours.
fn hear(shared: &Shared, data: &[Value]) {
    // The channel, and what was published.
    if let [_, Value::BulkString(text)] = data
        && let Some(message) = Message::parse(text)
    {
        shared.listeners.call(&message);
    }
}
