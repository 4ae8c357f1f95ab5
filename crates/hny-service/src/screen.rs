//! Where links may lead. The rules are others'; that nobody forgets to ask is seen to here.

use std::fmt;
use std::sync::Arc;

use hny_domain::{FieldError, Target, TargetError};

/// Says of a target whether a link may lead there. Asked before a link is made or changed, by whichever verb. Cheap to clone.
#[derive(Clone)]
pub struct Screen(Arc<Rules>);

/// Answers for one target, and names what would be right.
type Rules = dyn Fn(&Target) -> Result<(), TargetError> + Send + Sync;

impl Screen {
    /// A screen with these rules, which answer without waiting for anything.
    pub fn new(rules: impl Fn(&Target) -> Result<(), TargetError> + Send + Sync + 'static) -> Self {
        Self(Arc::new(rules))
    }

    /// Whether a link may lead to all of these, each named by the field that it is of.
    pub(crate) fn check<'a>(
        &self,
        targets: impl IntoIterator<Item = (&'static str, &'a Target)>,
    ) -> Result<(), Vec<FieldError>> {
        let refused = |(field, target)| self.0(target).err().map(|error| FieldError::new(field, error.to_string()));
        let refused: Vec<_> = targets.into_iter().filter_map(refused).collect();
        if refused.is_empty() { Ok(()) } else { Err(refused) }
    }
}

/// Links may lead anywhere.
impl Default for Screen {
    fn default() -> Self {
        Self::new(|_| Ok(()))
    }
}

impl fmt::Debug for Screen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Screen")
    }
}
