//! Where clicks go.

pub(crate) mod agent;
pub(crate) mod enricher;
pub(crate) mod haul;
#[cfg(feature = "kafka")]
pub(crate) mod kafka;
pub(crate) mod pace;
pub(crate) mod shipper;

use std::pin::Pin;

use hny_domain::Click;
use hny_store::{SpoolId, SpoolStep, Store, StoreError};
use thiserror::Error;

/// What a sink answers.
pub(crate) type Answer<T> = Pin<Box<dyn Future<Output = Result<T, SinkError>> + Send>>;

/// Why a sink has not done what it was asked for.
#[derive(Debug, Error)]
pub(crate) enum SinkError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[cfg(feature = "kafka")]
    #[error(transparent)]
    Kafka(#[from] crate::sink::kafka::KafkaFailure),
}

/// Takes clicks, and keeps with them how far the clicks of each spool are taken.
pub(crate) trait Sink: Send {
    /// Up to which position the clicks of a spool are taken: 0 for a new one.
    fn open(&self, spool: SpoolId) -> Answer<u64>;

    /// Takes clicks and the step that they are: all of it, or after an error nothing. `false`, and nothing, when the clicks of the
    /// spool are not taken up to where the step begins.
    fn take(&self, clicks: Vec<Click>, step: SpoolStep) -> Answer<bool>;

    /// Forgets a spool that is gone.
    fn forget(&self, spool: SpoolId) -> Answer<()>;
}

/// The database of the links.
impl Sink for Store {
    fn open(&self, spool: SpoolId) -> Answer<u64> {
        let store = self.clone();
        Box::pin(async move { Ok(store.open_spool(spool).await?) })
    }

    fn take(&self, clicks: Vec<Click>, step: SpoolStep) -> Answer<bool> {
        let store = self.clone();
        Box::pin(async move { Ok(store.take_clicks(clicks, step).await?) })
    }

    fn forget(&self, spool: SpoolId) -> Answer<()> {
        let store = self.clone();
        Box::pin(async move { Ok(store.forget_spool(spool).await?) })
    }
}
