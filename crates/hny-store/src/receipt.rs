//! The contract for receipts: what was answered to requests that came with a key of the caller's, so that whoever sends one again
//! gets the same answer and nothing is done twice.
//!
//! A receipt is written by the transaction that does what was asked for: after a crash there are both or neither. A unique index on the request
//! decides who of many is first.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use hny_domain::{Timestamp, Version};

use crate::store::Engine;
use crate::{Insertion, Store, StoreError};

/// A request of a caller: a hash of both, from which neither can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RequestId(pub [u8; 32]);

/// What was sent with a request, as a hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fingerprint(pub [u8; 32]);

/// What a caller is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The HTTP status.
    pub status: u16,
    /// Where the thing is that was made.
    pub location: Option<String>,
    /// The version of that thing.
    pub version: Option<Version>,
    /// The document.
    pub body: String,
}

/// What was answered to a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Receipt {
    /// What was sent with it.
    pub fingerprint: Fingerprint,
    /// What was answered.
    pub answer: Answer,
}

/// Says what a caller is told of an outcome; `None` is an outcome that is not the last word, and is not kept.
pub type Say = Arc<dyn Fn(&Insertion) -> Option<Answer> + Send + Sync>;

/// A receipt to be written with what is done.
#[derive(Clone)]
pub struct NewReceipt {
    /// The request.
    pub request: RequestId,
    /// What was sent with it.
    pub fingerprint: Fingerprint,
    /// What is answered. It is asked inside the transaction, when the version of a link is known, and perhaps more than once.
    pub say: Say,
    /// When.
    pub now: Timestamp,
}

impl fmt::Debug for NewReceipt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NewReceipt").field("request", &self.request).finish_non_exhaustive()
    }
}

impl Store {
    /// What requests are hashed with: 32 random bytes that the database has had from its beginning.
    pub async fn receipt_secret(&self) -> Result<[u8; 32], StoreError> {
        match self.engine() {
            Engine::Sqlite(sqlite) => sqlite.receipt_secret(),
            Engine::Postgres(postgres) => postgres.receipt_secret().await,
        }
    }

    /// What was answered to those of these requests that were answered. With PostgreSQL the primary is asked.
    pub async fn find_receipts(&self, requests: Vec<RequestId>) -> Result<HashMap<RequestId, Receipt>, StoreError> {
        match self.engine() {
            Engine::Sqlite(sqlite) => sqlite.find_receipts(requests).await,
            Engine::Postgres(postgres) => postgres.find_receipts(requests).await,
        }
    }

    /// Keeps what is answered to a request that changed nothing, unless there is a receipt already: that one comes back.
    pub async fn keep_receipt(
        &self,
        request: RequestId,
        receipt: Receipt,
        now: Timestamp,
    ) -> Result<Option<Receipt>, StoreError> {
        match self.engine() {
            Engine::Sqlite(sqlite) => sqlite.keep_receipt(request, receipt, now).await,
            Engine::Postgres(postgres) => postgres.keep_receipt(request, receipt, now).await,
        }
    }

    /// Removes receipts from before a time, looking at the `limit` oldest, and says how many. 0: there are no more.
    pub async fn remove_receipts(&self, before: Timestamp, limit: u32) -> Result<u64, StoreError> {
        match self.engine() {
            Engine::Sqlite(sqlite) => sqlite.remove_receipts(before, limit).await,
            Engine::Postgres(postgres) => postgres.remove_receipts(before, limit).await,
        }
    }
}
