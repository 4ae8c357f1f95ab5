//! The verbs on links.

use std::sync::Arc;

use hny_domain::{
    Caller, Clock, Code, DomainId, Domains, Edit, EditInput, Expected, FieldError, Link, ListInput, PasswordHash, Patch,
};
use hny_redis::Redis;
use hny_store::{Deletion, Edition, LinkPage, ListQuestion, Store};

use crate::error::Error;
use crate::generator::Generator;
use crate::ids::Ids;
use crate::screen::{Leads, Screen};
use crate::shared::{Made, Shared};

mod bulk;
mod create;

pub use bulk::Numbered;
pub use create::{Created, Making, Told, Wish};

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
    shared: Shared,
    /// Whether the store has the counts of clicks.
    has_clicks: bool,
    parts: Parts,
}

/// What the verbs work with.
#[derive(Debug, Clone)]
pub struct Parts {
    /// Makes codes.
    pub generator: Generator,
    /// Makes primary keys.
    pub ids: Ids,
    /// On which domains links live.
    pub domains: Arc<Domains>,
    /// What time it is.
    pub clock: Clock,
    /// Who may make links.
    pub policy: CreatePolicy,
    /// Where links may lead.
    pub screen: Screen,
}

impl Links {
    /// The verbs over `store`.
    pub fn new(store: Store, parts: Parts) -> Self {
        Self { shared: Shared::new(store.clone(), None), store, has_clicks: true, parts }
    }

    /// With what nodes share by way of `redis`, for a store that other nodes work on as well: changes are told there before
    /// they are acknowledged. Where Redis does not answer they are made all the same. Needs a tokio runtime.
    #[must_use]
    pub fn sharing(self, redis: Redis) -> Self {
        Self { shared: Shared::new(self.store.clone(), Some(redis)), ..self }
    }

    /// Over a store in which no clicks are counted, so that links have no order by them.
    #[must_use]
    pub fn without_clicks(self) -> Self {
        Self { has_clicks: false, ..self }
    }

    /// A link that the caller may see, by its code or an alias.
    pub async fn find(&self, caller: Caller, (domain, code): (DomainId, &Code)) -> Result<Link, Error> {
        let sight = caller.sights().ok_or_else(|| Error::KeyNeeded(Vec::new()))?;
        let link = self.store.find_link(domain, code).await?;
        link.filter(|link| sight.includes(link.owner, link.domain)).ok_or(Error::LinkNotFound)
    }

    /// A page of the links that the caller may see.
    pub async fn list(&self, caller: Caller, input: ListInput<'_>) -> Result<LinkPage, Error> {
        let sight = caller.sights().ok_or_else(|| Error::KeyNeeded(Vec::new()))?;
        let listing = input.check(&self.parts.domains).map_err(Error::Invalid)?;
        if listing.order.by_clicks && !self.has_clicks {
            let detail = "clicks are not counted in the database here, so links have no order by them; it is created or -created";
            return Err(Error::Invalid(vec![FieldError::new("order", detail)]));
        }
        let question = ListQuestion { sight, listing, now: self.parts.clock.now() };
        Ok(self.store.list_links(question).await?)
    }

    /// The link that visitors find under a code, whoever asks: what may be told of it is for the decision about their visit to say.
    pub async fn find_for_visit(&self, (domain, code): (DomainId, &Code)) -> Result<Option<Link>, Error> {
        Ok(self.store.find_link(domain, code).await?)
    }

    /// A link that the caller may change.
    pub async fn find_to_change(&self, caller: Caller, place: (DomainId, &Code)) -> Result<Link, Error> {
        let link = self.find(caller, place).await?;
        let is_theirs = caller.changes().is_some_and(|sight| sight.includes(link.owner, link.domain));
        if is_theirs { Ok(link) } else { Err(Error::NotAllowed) }
    }

    /// What a caller is told who changes nothing at all: that it may not, of a link that it sees.
    async fn check_changes(&self, caller: Caller, place: (DomainId, &Code)) -> Result<(), Error> {
        if caller.changes().is_some() {
            return Ok(());
        }
        self.find(caller, place).await.and(Err(Error::NotAllowed))
    }

    /// Changes a link, by its code or an alias; the link as it is now, durable. A new password needs its hash beside it.
    pub async fn edit(
        &self,
        caller: Caller,
        (domain, code): (DomainId, &Code),
        input: EditInput<'_>,
        password: Option<PasswordHash>,
        expected: Expected,
    ) -> Result<Link, Error> {
        self.check_changes(caller, (domain, code)).await?;
        if input.is_empty() {
            let link = self.find(caller, (domain, code)).await?;
            return if expected.includes(link.version) { Ok(link) } else { Err(Error::Outdated) };
        }
        let now = self.parts.clock.now();
        let edit = input.check(self.parts.domains.base(), now).map_err(Error::Invalid)?.expecting(expected);
        self.parts.screen.check(edit.targets()).map_err(Error::Invalid)?;
        self.hear_edit(caller, (domain, code), (&edit, input.password)).await?;
        let edit = match (input.password, password) {
            (Patch::Set(_), Some(password)) => edit.with_password(password),
            (Patch::Set(_), None) => return Err(create::no_password()),
            (Patch::Keep | Patch::Clear, _) => edit,
        };
        let owned = code.clone();
        let change = move |store: Store| async move { store.edit_link(domain, &owned, edit, caller, now).await };
        let made = |edition: &Edition| Made { changes: edition.changes(), link: edition.clone().link().map(Box::new) };
        match self.shared.change((domain, code), now, change, made).await? {
            Edition::Edited(link) | Edition::Renamed(link, _) => Ok(link),
            Edition::NoSuchLink => Err(Error::LinkNotFound),
            Edition::Outdated => Err(Error::Outdated),
            Edition::Refused(field) => Err(Error::Invalid(vec![field])),
            Edition::CodeTaken => Err(Error::CodeTaken),
            Edition::Lookalike => Err(Error::Lookalike),
        }
    }

    /// Refuses an edit that would lead to harm by what is heard. Nobody is told of a link that is a secret, or becomes one.
    async fn hear_edit(
        &self,
        caller: Caller,
        place: (DomainId, &Code),
        (edit, password): (&Edit, Patch<&str>),
    ) -> Result<(), Error> {
        let leads: Leads = edit.targets().map(|(field, target)| (field, target.clone())).collect();
        let becomes_secret = matches!(password, Patch::Set(_));
        if !self.parts.screen.asks() || leads.is_empty() || becomes_secret {
            return Ok(());
        }
        if self.find(caller, place).await?.rules().is_secret() {
            return Ok(());
        }
        self.parts.screen.hear(&[leads]).await.into_iter().collect()
    }

    /// Deletes a link with its aliases; or, by the code of an alias, that alias.
    pub async fn delete(
        &self,
        caller: Caller,
        (domain, code): (DomainId, &Code),
        expected: Expected,
    ) -> Result<(), Error> {
        self.check_changes(caller, (domain, code)).await?;
        let now = self.parts.clock.now();
        let owned = code.clone();
        let change =
            move |store: Store| async move { store.delete_expected_link(domain, &owned, expected, caller, now).await };
        let made = |deletion: &Deletion| Made {
            changes: deletion.changes(),
            link: match deletion {
                Deletion::AliasDeleted(link, _) => Some(link.clone()),
                Deletion::Deleted(_) | Deletion::NoSuchLink | Deletion::Outdated => None,
            },
        };
        match self.shared.change((domain, code), now, change, made).await? {
            Deletion::Deleted(_) | Deletion::AliasDeleted(..) => Ok(()),
            Deletion::NoSuchLink => Err(Error::LinkNotFound),
            Deletion::Outdated => Err(Error::Outdated),
        }
    }
}
