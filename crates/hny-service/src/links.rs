//! The verbs on links.

use std::sync::Arc;

use hny_domain::{BaseUrl, Caller, Clock, Code, DomainId, EditInput, Link};
use hny_store::{Edition, Store};

use crate::error::Error;
use crate::generator::Generator;
use crate::ids::Ids;

mod create;

pub use create::{Created, Wish};

/// Who may make links.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CreatePolicy {
    /// Anyone.
    Open,
    /// Only who has an API key.
    Key,
}

/// Makes, changes, deletes and finds links. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Links {
    store: Store,
    parts: Parts,
}

/// What the verbs work with.
#[derive(Debug, Clone)]
pub struct Parts {
    /// Makes codes.
    pub generator: Generator,
    /// Makes primary keys.
    pub ids: Ids,
    /// What short URLs start with.
    pub base: Arc<BaseUrl>,
    /// What time it is.
    pub clock: Clock,
    /// Who may make links.
    pub policy: CreatePolicy,
}

impl Links {
    /// The verbs over `store`.
    pub fn new(store: Store, parts: Parts) -> Self {
        Self { store, parts }
    }

    /// A link that the caller may see.
    pub async fn find(&self, caller: Caller, code: &Code) -> Result<Link, Error> {
        let link = self.store.find_link(DomainId::BASE, code).await?;
        let visible = |link: &Link| caller.is_admin() || (caller.owner().is_some() && caller.owner() == link.owner);
        link.filter(visible).ok_or(Error::LinkNotFound)
    }

    /// Changes a link; the link as it is now, durable.
    pub async fn edit(&self, caller: Caller, code: &Code, input: EditInput<'_>) -> Result<Link, Error> {
        if input.is_empty() {
            return self.find(caller, code).await;
        }
        let now = self.parts.clock.now();
        let edit = input.check(&self.parts.base, now).map_err(Error::Invalid)?;
        match self.store.edit_link(DomainId::BASE, code, edit, caller, now).await? {
            Edition::Edited(link) => Ok(link),
            Edition::NoSuchLink => Err(Error::LinkNotFound),
            Edition::Refused(field) => Err(Error::Invalid(vec![field])),
        }
    }

    /// Deletes a link.
    pub async fn delete(&self, caller: Caller, code: &Code) -> Result<(), Error> {
        let deleted = self.store.delete_link(DomainId::BASE, code, caller, self.parts.clock.now()).await?;
        if deleted { Ok(()) } else { Err(Error::LinkNotFound) }
    }
}
