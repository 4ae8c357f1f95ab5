//! Requests that come again: who sends a key with a request and sends it once more, because no answer came, gets the answer of the
//! first time, and nothing is done twice.
//!
//! The store decides: a receipt is written by the transaction that does what was asked for ([`hny_store::receipt`]), so it holds
//! between nodes, and over a crash. That a request is *running* is known only in this process, and only to spare both the trouble.

mod running;

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use hny_domain::{Clock, KeyId};
use hny_store::{Fingerprint, NewReceipt, Receipt, RequestId, Store};
use sha2::{Digest, Sha256};
use tokio::sync::OnceCell;
use tokio::time::{sleep, timeout};

use crate::error::Error;
use running::{Entry, Place, Running};

pub use hny_store::Answer;
pub use hny_store::receipt::Say;

/// How long a receipt is kept.
pub const KEPT: Duration = Duration::from_hours(24);

/// How long one waits for the same request that is running.
const PATIENCE: Duration = Duration::from_secs(1);

/// How often old receipts are looked for, and how many are removed at a time, with a rest between.
const BETWEEN_REMOVALS: Duration = Duration::from_mins(10);
const AT_ONCE: u32 = 1_000;
const REST: Duration = Duration::from_millis(100);

/// Whose request it is: a key means nothing but to who sent it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sender {
    /// The holder of an API key.
    Key(KeyId),
    /// Somebody without, by the address. It is hashed with a secret and not kept.
    Client(IpAddr),
}

/// A request that came with a key.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// Who sent it.
    pub sender: Sender,
    /// The key.
    pub key: &'a str,
    /// What was sent: method, path and body. It must be the same when the request comes again.
    pub sent: [&'a [u8]; 3],
}

/// What is to be done about a request.
#[derive(Debug)]
pub enum Begun {
    /// Nothing: this was answered.
    Answered(Answer),
    /// It is this caller's turn to do it.
    Turn(Turn),
}

/// The turn to do what a request asks for. Until it is dropped, the same request waits.
#[derive(Debug)]
pub struct Turn {
    request: RequestId,
    fingerprint: Fingerprint,
    clock: Clock,
    _place: Option<Place>,
}

/// What was answered to requests. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Receipts {
    store: Store,
    clock: Clock,
    secret: Arc<OnceCell<[u8; 32]>>,
    running: Running,
}

impl Receipts {
    /// The receipts in `store`.
    pub fn new(store: Store, clock: Clock) -> Self {
        Self { store, clock, secret: Arc::default(), running: Running::default() }
    }

    /// Looks what is to be done about a request.
    pub async fn begin(&self, request: Request<'_>) -> Result<Begun, Error> {
        let (request, fingerprint) = self.hashes(request).await?;
        let place = self.enter(request, fingerprint).await?;
        match self.store.find_receipts(vec![request]).await?.remove(&request) {
            Some(receipt) => Ok(Begun::Answered(answer(receipt, fingerprint)?)),
            None => Ok(Begun::Turn(Turn { request, fingerprint, clock: self.clock.clone(), _place: Some(place) })),
        }
    }

    /// What was answered to the rows of a request, before it broke off; by their numbers.
    pub async fn rows(&self, turn: &Turn, count: usize) -> Result<Vec<Option<Answer>>, Error> {
        let requests: Vec<_> = (0..count).map(|number| turn.row(number).request).collect();
        let mut known = self.store.find_receipts(requests.clone()).await?;
        let known = requests.into_iter().map(|request| known.remove(&request));
        known.map(|receipt| receipt.map(|receipt| answer(receipt, turn.fingerprint)).transpose()).collect()
    }

    /// Keeps the answer of a turn that changed nothing. If somebody was quicker, theirs is the answer.
    pub async fn keep(&self, turn: &Turn, said: Answer) -> Result<Answer, Error> {
        let receipt = Receipt { fingerprint: turn.fingerprint, answer: said };
        match self.store.keep_receipt(turn.request, receipt.clone(), self.clock.now()).await? {
            Some(known) => answer(known, turn.fingerprint),
            None => Ok(receipt.answer),
        }
    }

    /// Removes what is too old, in small steps, until it is dropped.
    pub async fn remove_old(self) {
        loop {
            match self.store.remove_receipts(self.clock.now().before(KEPT), AT_ONCE).await {
                Ok(0) => sleep(BETWEEN_REMOVALS).await,
                Ok(_) => sleep(REST).await,
                Err(error) => {
                    tracing::debug!(%error, "old receipts cannot be removed now; it is tried again");
                    sleep(BETWEEN_REMOVALS).await;
                }
            }
        }
    }

    /// Waits until nobody here is at the same request.
    async fn enter(&self, request: RequestId, fingerprint: Fingerprint) -> Result<Place, Error> {
        let entered = async {
            loop {
                match self.running.enter(request, fingerprint) {
                    Entry::Free(place) => return Ok(place),
                    Entry::Taken(other, _) if other != fingerprint => return Err(Error::OtherRequest),
                    // Whoever is at it lets the channel go at the end, which is an error to who waits for a change.
                    Entry::Taken(_, mut ended) => drop(ended.changed().await),
                }
            }
        };
        timeout(PATIENCE, entered).await.unwrap_or(Err(Error::StillRunning))
    }

    /// What the store knows the request by. The key, which is as good as random, makes it hopeless to guess a password in a body
    /// from its hash, and the secret to guess an address.
    async fn hashes(&self, Request { sender, key, sent }: Request<'_>) -> Result<(RequestId, Fingerprint), Error> {
        let secret = self.secret.get_or_try_init(|| self.store.receipt_secret()).await?;
        let sender = match sender {
            Sender::Key(id) => format!("key {id}"),
            Sender::Client(address) => format!("client {address}"),
        };
        let request = hash(secret, [b"request", sender.as_bytes(), key.as_bytes()]);
        let body = hash(secret, sent);
        Ok((RequestId(request), Fingerprint(hash(secret, [b"fingerprint", key.as_bytes(), &body]))))
    }
}

impl Turn {
    /// The turn to do one of many things that a request asks for: each has a receipt of its own.
    #[must_use]
    pub fn row(&self, number: usize) -> Self {
        let request = hash(&self.request.0, [b"row", &(number as u64).to_be_bytes(), b""]);
        Self { request: RequestId(request), fingerprint: self.fingerprint, clock: self.clock.clone(), _place: None }
    }

    /// The receipt for what is done in this turn, with what `say` says of its outcome.
    pub fn receipt(&self, say: Say) -> NewReceipt {
        NewReceipt { request: self.request, fingerprint: self.fingerprint, say, now: self.clock.now() }
    }
}

/// The answer of before, if the same was asked.
pub(crate) fn answer(receipt: Receipt, fingerprint: Fingerprint) -> Result<Answer, Error> {
    if receipt.fingerprint == fingerprint { Ok(receipt.answer) } else { Err(Error::OtherRequest) }
}

/// Each part is hashed with its length, so that none can borrow from its neighbour.
fn hash(secret: &[u8; 32], parts: [&[u8]; 3]) -> [u8; 32] {
    let mut hash = Sha256::new_with_prefix(secret);
    for part in parts {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    }
    hash.finalize().into()
}
