//! Where links may lead. The rules and the word of a provider are others'; that nobody forgets to ask is seen to here.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;

use hny_domain::{FieldError, Suspicion, Target, TargetError};

use crate::error::Error;

/// Says of a target whether a link may lead there. Asked before a link is made or changed, by whichever verb. Cheap to clone.
#[derive(Clone)]
pub struct Screen {
    rules: Arc<Rules>,
    provider: Option<Arc<Provider>>,
}

/// The targets of a link, each with the field that it is of.
pub(crate) type Leads = Vec<(&'static str, Target)>;

/// Answers for one target, and names what would be right.
type Rules = dyn Fn(&Target) -> Result<(), TargetError> + Send + Sync;

/// Answers for many, in their order, after a while.
type Provider = dyn Fn(Vec<Target>) -> Hearing + Send + Sync;
type Hearing = Pin<Box<dyn Future<Output = Vec<Option<Suspicion>>> + Send>>;

impl Screen {
    /// A screen with these rules, which answer without waiting for anything.
    pub fn new(rules: impl Fn(&Target) -> Result<(), TargetError> + Send + Sync + 'static) -> Self {
        Self { rules: Arc::new(rules), provider: None }
    }

    /// With somebody who says of targets that are no secret what they are suspected of, and sees to it that nobody waits long, however
    /// many they are.
    #[must_use]
    pub fn hearing<F>(self, provider: impl Fn(Vec<Target>) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Vec<Option<Suspicion>>> + Send + 'static,
    {
        let provider = move |targets: Vec<Target>| -> Hearing { Box::pin(provider(targets)) };
        Self { provider: Some(Arc::new(provider)), ..self }
    }

    /// Whether a link may lead to all of these by the rules, each named by the field that it is of.
    pub(crate) fn check<'a>(
        &self,
        targets: impl IntoIterator<Item = (&'static str, &'a Target)>,
    ) -> Result<(), Vec<FieldError>> {
        let refused = |(field, target)| (self.rules)(target).err().map(|error| FieldError::new(field, error));
        let refused: Vec<_> = targets.into_iter().filter_map(refused).collect();
        if refused.is_empty() { Ok(()) } else { Err(refused) }
    }

    /// Whether somebody is asked.
    pub(crate) fn asks(&self) -> bool {
        self.provider.is_some()
    }

    /// Whether links may lead there by what is heard of it: of each link, in their order. The targets of secret links are left out, as
    /// nobody is told of them.
    pub(crate) async fn hear(&self, links: &[Leads]) -> Vec<Result<(), Error>> {
        let Some(provider) = &self.provider else { return vec![Ok(()); links.len()] };
        let targets = links.iter().flatten().map(|(_, target)| target.clone()).collect();
        let mut heard = provider(targets).await.into_iter();
        links.iter().map(|leads| refused(leads.iter().map(|(field, _)| *field).zip(heard.by_ref()))).collect()
    }
}

/// Refuses a link for the fields that are suspected.
fn refused(heard: impl Iterator<Item = (&'static str, Option<Suspicion>)>) -> Result<(), Error> {
    let error = |(field, suspicion)| Some(FieldError::new(field, TargetError::Suspected(suspicion?)));
    let refused: Vec<_> = heard.filter_map(error).collect();
    if refused.is_empty() { Ok(()) } else { Err(Error::Suspected(refused)) }
}

/// Links may lead anywhere.
impl Default for Screen {
    fn default() -> Self {
        Self::new(|_| Ok(()))
    }
}

impl fmt::Debug for Screen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Screen").field("asks", &self.asks()).finish_non_exhaustive()
    }
}
