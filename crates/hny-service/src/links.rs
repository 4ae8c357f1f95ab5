//! The verbs on links.

use std::sync::Arc;

use hny_domain::{
    BaseUrl, Caller, Clock, Code, CodeOrigin, DomainId, Draft, DraftInput, EditInput, FieldError, Link, Timestamp,
};
use hny_store::{Edition, Insertion, NewLink, Store};

use crate::error::Error;
use crate::generator::Generator;

/// How often a code is drawn for one link. At 1.8 billion links of 7 characters one insert in 1,957 draws twice, and five
/// taken codes in a row come once in 10^16: then something is broken, and drawing on would hide it.
const DRAWS: u32 = 5;

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
    generator: Generator,
    base: Arc<BaseUrl>,
    clock: Clock,
    policy: CreatePolicy,
}

impl Links {
    /// The verbs over `store`.
    pub fn new(store: Store, generator: Generator, base: Arc<BaseUrl>, clock: Clock, policy: CreatePolicy) -> Self {
        Self { store, generator, base, clock, policy }
    }

    /// Makes a link on the base domain. It is durable when this returns.
    pub async fn create(&self, caller: Caller, input: DraftInput<'_>) -> Result<Link, Error> {
        self.check_rights(caller, input)?;
        let now = self.clock.now();
        let draft = input.check(&self.base, now).map_err(Error::Invalid)?;
        match draft.code.clone() {
            Some(code) => self.insert(code, CodeOrigin::Custom, draft, caller, now).await?.ok_or(Error::CodeTaken),
            None => self.insert_under_a_drawn_code(draft, caller, now).await,
        }
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
        let now = self.clock.now();
        let edit = input.check(&self.base, now).map_err(Error::Invalid)?;
        match self.store.edit_link(DomainId::BASE, code, edit, caller, now).await? {
            Edition::Edited(link) => Ok(link),
            Edition::NoSuchLink => Err(Error::LinkNotFound),
            Edition::Refused(field) => Err(Error::Invalid(vec![field])),
        }
    }

    /// Deletes a link.
    pub async fn delete(&self, caller: Caller, code: &Code) -> Result<(), Error> {
        let deleted = self.store.delete_link(DomainId::BASE, code, caller, self.clock.now()).await?;
        if deleted { Ok(()) } else { Err(Error::LinkNotFound) }
    }

    fn check_rights(&self, caller: Caller, input: DraftInput<'_>) -> Result<(), Error> {
        if caller != Caller::Anonymous {
            return Ok(());
        }
        let fields = input.fields_that_need_a_key();
        if self.policy == CreatePolicy::Open && fields.is_empty() {
            return Ok(());
        }
        let error = |field| FieldError::new(field, "only callers with an API key may set it");
        Err(Error::KeyNeeded(fields.into_iter().map(error).collect()))
    }

    async fn insert_under_a_drawn_code(&self, draft: Draft, caller: Caller, now: Timestamp) -> Result<Link, Error> {
        for _ in 0..DRAWS {
            let code = self.generator.draw();
            if let Some(link) = self.insert(code, CodeOrigin::Generated, draft.clone(), caller, now).await? {
                return Ok(link);
            }
        }
        tracing::error!(
            draws = DRAWS,
            "every drawn code was taken: the code space is nearly full, or its generator is broken"
        );
        Err(Error::NoFreeCode(DRAWS))
    }

    /// The link, or `None` when the code is taken.
    async fn insert(
        &self,
        code: Code,
        origin: CodeOrigin,
        draft: Draft,
        caller: Caller,
        now: Timestamp,
    ) -> Result<Option<Link>, Error> {
        let link = NewLink { domain: DomainId::BASE, code, origin, draft, caller, now };
        match self.store.insert_link(link).await? {
            Insertion::Inserted(link) => Ok(Some(link)),
            Insertion::CodeTaken => Ok(None),
        }
    }
}
