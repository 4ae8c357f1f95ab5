//! Reads of many who ask at about the same time, in one question: what a question costs is mostly the way there and back.

use std::future::poll_fn;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Poll;

use tokio::sync::watch;
use tokio::time::timeout;

use crate::breaker::LATE;
use crate::session::{Session, Unavailable};

/// So many are asked together at most. Their answer is some twenty kilobytes.
const MOST: usize = 128;

/// Those who are going to ask together, if there are any.
#[derive(Debug, Default)]
pub(crate) struct Reads(Mutex<Option<Batch>>);

#[derive(Debug)]
struct Batch {
    keys: Vec<String>,
    state: watch::Sender<State>,
}

/// What became of a question.
#[derive(Debug)]
enum State {
    Asked,
    /// There is no answer yet, and there should be.
    Late,
    /// A value for each key, or nothing where there is none.
    Answered(Result<Vec<Option<Vec<u8>>>, Unavailable>),
}

/// One key among those that are asked for together.
#[derive(Debug)]
pub(crate) struct Read {
    place: usize,
    state: watch::Receiver<State>,
}

impl Session {
    /// Asks what is under a key, together with all who ask before the runtime has come to everybody that is ready now.
    pub(crate) fn read(self: &Arc<Self>, key: String) -> Read {
        let mut open = self.reads.open();
        let batch = open.get_or_insert_with(|| {
            tokio::spawn(gather(Arc::clone(self)));
            Batch { keys: Vec::new(), state: watch::Sender::new(State::Asked) }
        });
        let read = Read { place: batch.keys.len(), state: batch.state.subscribe() };
        batch.keys.push(key);
        if batch.keys.len() == MOST
            && let Some(full) = open.take()
        {
            let session = Arc::clone(self);
            tokio::spawn(async move { full.ask(&session).await });
        }
        read
    }
}

impl Reads {
    fn open(&self) -> MutexGuard<'_, Option<Batch>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Asks what there is to ask after everybody else had their turn. Whoever begins a batch starts one of these, so none is left;
/// one that was full has been asked already.
async fn gather(session: Arc<Session>) {
    go_last().await;
    let batch = session.reads.open().take();
    if let Some(batch) = batch {
        batch.ask(&session).await;
    }
}

/// Goes behind all tasks that are ready to run. (Tokio's own `yield_now` asks the system for news first, which takes longer than
/// what is waited for.)
async fn go_last() {
    let mut has_waited = false;
    poll_fn(|context| {
        if has_waited {
            return Poll::Ready(());
        }
        has_waited = true;
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

impl Batch {
    async fn ask(self, session: &Session) {
        let mut command = redis::cmd("MGET");
        command.arg(&self.keys);
        let mut asked = pin!(session.ask(async |redis| command.query_async(redis).await));
        let answer = if let Ok(answer) = timeout(LATE, &mut asked).await {
            answer
        } else {
            self.state.send_replace(State::Late);
            asked.await
        };
        self.state.send_replace(State::Answered(answer));
    }
}

impl Read {
    /// Waits until there is an answer, be it that there will be none, or until there should have been one: `false` then.
    pub(crate) async fn is_in_time(&mut self) -> bool {
        let state = self.state.wait_for(|state| !matches!(state, State::Asked)).await;
        !matches!(state.as_deref(), Ok(State::Late))
    }

    /// What is under the key, as `take` takes it.
    pub(crate) async fn answer<T>(mut self, take: impl FnOnce(Option<&[u8]>) -> T) -> Result<T, Unavailable> {
        // Whoever was to ask ends without an answer only when the runtime ends.
        let state = self.state.wait_for(|state| matches!(state, State::Answered(_))).await.map_err(|_| Unavailable)?;
        match &*state {
            State::Answered(Ok(values)) => Ok(take(values.get(self.place).and_then(Option::as_deref))),
            State::Answered(Err(unavailable)) => Err(*unavailable),
            State::Asked | State::Late => Err(Unavailable),
        }
    }
}
