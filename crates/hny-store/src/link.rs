//! The contract for links.

use hny_domain::{
    Caller, Code, CodeOrigin, DomainId, Draft, Edit, Expected, FieldError, Lead, Link, LinkId, Timestamp, Version,
};

use crate::store::Engine;
use crate::{Change, NewReceipt, Receipt, Store, StoreError};

/// A link to be made under a code that is already drawn or chosen.
#[derive(Debug, Clone)]
pub struct NewLink {
    /// Its primary key, which no other link has or had.
    pub id: LinkId,
    /// The domain it shall live on; it must be one that the database knows ([`DomainId::BASE`] always is).
    pub domain: DomainId,
    /// Its code. [`Draft::code`] is not looked at, and neither is [`Draft::domain`].
    pub code: Code,
    /// Where that code came from.
    pub origin: CodeOrigin,
    /// Everything else about it.
    pub draft: Draft,
    /// Who makes it. Its key becomes the owner, and decides who gets a deleted custom code back.
    pub caller: Caller,
    /// When it is made.
    pub now: Timestamp,
    /// What else is looked at, and written, when it is made.
    pub terms: Terms,
}

/// What else is looked at, and written, in the transaction that makes a link.
#[derive(Debug, Clone, Default)]
pub struct Terms {
    /// What is answered to the request that it is made for; a request that has a receipt makes nothing more.
    pub receipt: Option<NewReceipt>,
    /// Whether a live link of the same owner to the same target will do; see [`Insertion::Found`].
    pub reuse: bool,
}

impl Terms {
    /// Whether there is nothing else.
    pub(crate) fn is_empty(&self) -> bool {
        self.receipt.is_none() && !self.reuse
    }
}

impl NewLink {
    /// What a chosen code looks like; generated ones look as they like.
    pub(crate) fn skeleton(&self) -> Option<String> {
        (self.origin == CodeOrigin::Custom).then(|| self.code.skeleton())
    }

    /// The link that it becomes.
    pub(crate) fn into_link(self, version: Version) -> Link {
        let Self { id, domain, code, origin, draft, caller, now, terms: _ } = self;
        Link {
            id,
            domain,
            code,
            origin,
            aliases: Vec::new(),
            target: draft.target,
            owner: caller.owner(),
            created_at: now,
            updated_at: now,
            valid_from: draft.valid_from,
            expires_at: draft.expires_at,
            max_clicks: draft.max_clicks,
            clicks_used: 0,
            redirect_status: draft.redirect_status,
            forward_query: draft.forward_query,
            forward_path: draft.forward_path,
            expired_url: draft.expired_url,
            password: draft.password,
            private: draft.private,
            title: draft.title,
            tags: draft.tags,
            note: draft.note,
            active: draft.active,
            version,
        }
    }
}

/// What became of a [`NewLink`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Insertion {
    /// The link, durably stored.
    Inserted(Link),
    /// The code is another link's, or was and is not given again to this caller.
    CodeTaken,
    /// The code is free, but it is a chosen one that looks like another chosen one, and the draft does not allow that.
    Lookalike,
    /// A link that will do was there, and nothing was made: the first of the same owner to the same target, byte for byte, that redirects
    /// now, is not private, and has no limit, end or password.
    Found(Link),
    /// The request was answered before, and nothing was done now.
    Answered(Receipt),
}

/// What became of an [`Edit`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Edition {
    /// The link as it is now, durably stored.
    Edited(Link),
    /// It has another code now. The one that it had leads nowhere any more, if it is not one of its aliases.
    Renamed(Link, Code),
    /// There is no such link that this caller may change.
    NoSuchLink,
    /// The link is in another state than was expected.
    Outdated,
    /// The link as it is does not bear the edit; nothing was changed.
    Refused(FieldError),
    /// The other code is another link's, or was and is not given again to this caller.
    CodeTaken,
    /// The other code looks like another chosen one, and the edit does not allow that.
    Lookalike,
}

impl Edition {
    /// The link, if it was edited.
    pub fn link(self) -> Option<Link> {
        match self {
            Self::Edited(link) | Self::Renamed(link, _) => Some(link),
            Self::NoSuchLink | Self::Outdated | Self::Refused(_) | Self::CodeTaken | Self::Lookalike => None,
        }
    }

    /// What changed, by ascending version.
    pub fn changes(&self) -> Vec<Change> {
        match self {
            Self::Edited(link) => changes_of(link, None),
            Self::Renamed(link, old) => changes_of(link, Some(old)),
            Self::NoSuchLink | Self::Outdated | Self::Refused(_) | Self::CodeTaken | Self::Lookalike => Vec::new(),
        }
    }
}

/// What became of a link, or of an alias, that was to be deleted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Deletion {
    /// The link is deleted, durably, and so are its aliases: these changes were made, by ascending version.
    Deleted(Vec<Change>),
    /// This was an alias of the link, which is not found by it any more.
    AliasDeleted(Box<Link>, Code),
    /// There is no such link that this caller may change.
    NoSuchLink,
    /// The link is in another state than was expected.
    Outdated,
}

impl Deletion {
    /// What changed, by ascending version.
    pub fn changes(&self) -> Vec<Change> {
        match self {
            Self::Deleted(changes) => changes.clone(),
            Self::AliasDeleted(link, alias) => changes_of(link, Some(alias)),
            Self::NoSuchLink | Self::Outdated => Vec::new(),
        }
    }
}

/// What changed with a link: its code, its aliases, and a code that it had, if that is none of these.
fn changes_of(link: &Link, old: Option<&Code>) -> Vec<Change> {
    let change = |(code, version): (&Code, Version)| Change { domain: link.domain, code: code.clone(), version };
    let mut changes: Vec<_> = link.codes().map(change).collect();
    let next = Version(link.version.0 + changes.len() as u64);
    changes.extend(old.filter(|old| !link.aliases.contains(old)).map(|old| change((old, next))));
    changes
}

impl Store {
    /// Makes a link, unless its code is taken.
    ///
    /// The unique index on (domain, code) decides, in one statement, however many callers and processes ask at once. The
    /// code of a deleted link is taken too, with one exception: a custom code is free again when a custom code is asked for
    /// by the owner of the deleted link or by an admin.
    ///
    /// The answer comes after the commit is on disk. A change once handed over is made even when the caller no longer waits.
    pub async fn insert_link(&self, link: NewLink) -> Result<Insertion, StoreError> {
        match self.engine() {
            Engine::Sqlite(sqlite) => sqlite.insert_link(link, self.begins_generations()).await,
            Engine::Postgres(postgres) => postgres.insert_link(link, self.begins_generations()).await,
        }
    }

    /// The live link with this code or alias, byte for byte; `None` when there is none or it was deleted. Whether it redirects is
    /// not asked here.
    ///
    /// With SQLite the lookup runs on the calling thread and the future is ready at once: that is faster than any handing over.
    /// With PostgreSQL it waits at most some seconds, and what a replica has is shown only if no newer change is known.
    pub async fn find_link(&self, domain: DomainId, code: &Code) -> Result<Option<Link>, StoreError> {
        match self.engine() {
            Engine::Sqlite(sqlite) => sqlite.find_link(domain, code),
            Engine::Postgres(postgres) => postgres.find_link(domain, code).await,
        }
    }

    /// What a visit needs of the live link with this code or alias, as `take` takes it, with the version of that code; `None` as in
    /// [`Store::find_link`], which reads more and costs more. The target is lent from where the engine has it, so whoever keeps it copies
    /// it once.
    ///
    /// With SQLite the lookup and `take` run on the calling thread.
    pub async fn find_lead<T>(
        &self,
        domain: DomainId,
        code: &Code,
        take: impl FnOnce(Lead<'_>) -> T,
    ) -> Result<Option<T>, StoreError> {
        match self.engine() {
            Engine::Sqlite(sqlite) => sqlite.find_lead(domain, code, take),
            // Every connection of a client has room for a lookup of its own: it should not be that of a conversation.
            Engine::Postgres(postgres) => Box::pin(postgres.find_lead(domain, code, take)).await,
        }
    }

    /// Changes a link, by its code or an alias, that is as the edit expects it, and gives it a new version (its aliases take those behind it): read, apply and write are one step. What the caller may change is
    /// [`Caller::changes`]; nothing else is there for it.
    pub async fn edit_link(
        &self,
        domain: DomainId,
        code: &Code,
        edit: Edit,
        caller: Caller,
        now: Timestamp,
    ) -> Result<Edition, StoreError> {
        let (code, begins) = (code.clone(), self.begins_generations());
        match self.engine() {
            Engine::Sqlite(sqlite) => sqlite.edit_link((domain, code), edit, caller, now, begins).await,
            // Large, and nothing that many wait for at once.
            Engine::Postgres(postgres) => Box::pin(postgres.edit_link((domain, code), edit, caller, now, begins)).await,
        }
    }

    /// Deletes a link, whatever it is; the version of that change, or `None` when there is no such link that this caller may change.
    /// See [`Store::delete_expected_link`].
    pub async fn delete_link(
        &self,
        domain: DomainId,
        code: &Code,
        caller: Caller,
        now: Timestamp,
    ) -> Result<Option<Version>, StoreError> {
        match self.delete_expected_link(domain, code, Expected::Any, caller, now).await? {
            Deletion::Deleted(changes) => Ok(changes.first().map(|change| change.version)),
            Deletion::AliasDeleted(link, _) => Ok(Some(link.version)),
            Deletion::NoSuchLink | Deletion::Outdated => Ok(None),
        }
    }

    /// Deletes a link that is as expected, and its aliases; or, by the code of an alias, that alias. What the caller may change is
    /// [`Caller::changes`].
    ///
    /// A tombstone with a new version stays: code, origin and owner say who may have the code again. Target and title are
    /// gone from it.
    pub async fn delete_expected_link(
        &self,
        domain: DomainId,
        code: &Code,
        expected: Expected,
        caller: Caller,
        now: Timestamp,
    ) -> Result<Deletion, StoreError> {
        let (code, begins) = (code.clone(), self.begins_generations());
        match self.engine() {
            Engine::Sqlite(sqlite) => sqlite.delete_link((domain, code), expected, caller, now, begins).await,
            Engine::Postgres(postgres) => postgres.delete_link((domain, code), expected, caller, now, begins).await,
        }
    }
}
