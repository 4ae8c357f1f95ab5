//! The verb that makes a link.

use std::sync::Arc;

use hny_codes::snowflake;
use hny_domain::{
    Caller, Code, CodeOrigin, DomainId, Draft, DraftInput, FieldError, Link, LinkId, PasswordHash, Timestamp,
};
use hny_store::{Insertion, NewLink, NewReceipt, Store, Terms};

use super::{CreatePolicy, Links};
use crate::error::Error;
use crate::generator::{Scheme, Source};
use crate::receipts::{Answer, Turn, answer};
use crate::screen::Leads;
use crate::shared::Made;

/// How often a code is drawn for one link. At 1.8 billion links of 7 characters one insert in 1,957 draws twice, and five
/// taken codes in a row come once in 10^16: then something is broken, and drawing on would hide it.
const DRAWS: u32 = 5;

/// How many taken codes a counter skips for one link. They are codes of an earlier scheme or key, and whoever comes next goes
/// on behind them.
const SKIPS: u32 = 100;

/// How many salts are tried for one link. The links that an owner has to one target, and those it had, take a salt each, unless
/// they are the same link; nothing is written while one after the other is found to be taken.
const SALTS: u32 = 1_000;

/// How many codes in a row may be reserved or unlucky. With the list that comes with it, one of some two hundred is; only a
/// list that forbids nearly everything leads here.
const MOST_PASSED_OVER: u32 = 1_000;

/// A link that was made, or that was there already and is as good.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Created {
    /// The link.
    pub link: Link,
    /// Whether this call made it.
    pub is_new: bool,
}

/// What became of a wish that may have been granted before.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "nearly every one is created")]
pub enum Making {
    /// It was granted now.
    Created(Created),
    /// The same request was answered before, so.
    Answered(Answer),
}

/// What a caller can be told of a wish, for the last word on it.
#[derive(Debug, Clone, Copy)]
pub enum Told<'a> {
    /// This link was made.
    Made(&'a Link),
    /// This link was there, and will do.
    Found(&'a Link),
    /// The code is not to be had.
    Refused(&'a Error),
}

/// A link that may be made: its fields are right, and the caller may ask for them. Whether its code is free shows when it is made.
#[derive(Debug, Clone)]
pub struct Wish {
    pub(super) draft: Draft,
    caller: Caller,
    now: Timestamp,
    receipt: Option<NewReceipt>,
    /// Whether a password was sent, and its hash is not there yet.
    awaits_password: bool,
}

impl Wish {
    /// The same, with the hash of the password that was sent.
    #[must_use]
    pub fn with_password(self, password: PasswordHash) -> Self {
        Self { draft: Draft { password: Some(password), ..self.draft }, awaits_password: false, ..self }
    }

    /// The same wish by a request that may come again: `say` says what it is answered.
    #[must_use]
    pub fn answering(self, turn: &Turn, say: impl Fn(Told<'_>) -> Answer + Send + Sync + 'static) -> Self {
        // A drawn code that is taken is drawn again.
        let is_chosen = self.draft.code.is_some();
        let say = move |insertion: &Insertion| match insertion {
            Insertion::Inserted(link) => Some(say(Told::Made(link))),
            Insertion::Found(link) => Some(say(Told::Found(link))),
            Insertion::CodeTaken if is_chosen => Some(say(Told::Refused(&Error::CodeTaken))),
            Insertion::Lookalike if is_chosen => Some(say(Told::Refused(&Error::Lookalike))),
            Insertion::CodeTaken | Insertion::Lookalike | Insertion::Answered(_) => None,
        };
        Self { receipt: Some(turn.receipt(Arc::new(say))), ..self }
    }

    /// Where the link shall lead, as far as somebody may be told of it.
    pub(super) fn leads(&self) -> Leads {
        if self.draft.is_secret() || self.awaits_password {
            return Leads::new();
        }
        self.draft.targets().map(|(field, target)| (field, target.clone())).collect()
    }

    /// What became of it, when the store has said its last word.
    fn last(&self, insertion: Insertion) -> Result<Making, Error> {
        match insertion {
            Insertion::Inserted(link) => Ok(Making::Created(Created { link, is_new: true })),
            Insertion::Found(link) => Ok(Making::Created(Created { link, is_new: false })),
            Insertion::CodeTaken => Err(Error::CodeTaken),
            Insertion::Lookalike => Err(Error::Lookalike),
            Insertion::Answered(receipt) => match &self.receipt {
                Some(asked) => Ok(Making::Answered(answer(receipt, asked.fingerprint)?)),
                None => Err(Error::OtherRequest),
            },
        }
    }
}

impl Links {
    /// Makes a link. It is durable when this returns.
    pub async fn create(&self, caller: Caller, input: DraftInput<'_>) -> Result<Created, Error> {
        match self.make(&self.wish(caller, input)?).await? {
            Making::Created(created) => Ok(created),
            // Only a wish that is answered was answered before.
            Making::Answered(_) => Err(Error::OtherRequest),
        }
    }

    /// Checks what can be checked without the store. Nothing is made, and nothing is told about other links.
    pub fn wish(&self, caller: Caller, input: DraftInput<'_>) -> Result<Wish, Error> {
        // Who is narrowed to a domain means that one, unless it says otherwise.
        let own = caller.domain().map(|domain| self.parts.domains.name_of(domain));
        let input = DraftInput { domain: input.domain.or(own.as_deref()), ..input };
        self.check_rights(caller, input)?;
        let now = self.parts.clock.now();
        let draft = input.check(&self.parts.domains, now).map_err(Error::Invalid)?;
        self.parts.screen.check(draft.targets()).map_err(Error::Invalid)?;
        Ok(Wish { draft, caller, now, receipt: None, awaits_password: input.password.is_some() })
    }

    /// Makes the link, unless it is heard that it would lead to harm. It is durable when this returns. Without the hash of a password that
    /// was sent it is not made.
    pub async fn make(&self, wish: &Wish) -> Result<Making, Error> {
        self.parts.screen.hear(&[wish.leads()]).await.into_iter().collect::<Result<(), _>>()?;
        self.insert_wish(wish).await
    }

    /// Makes a link of which is heard what there is to hear.
    pub(super) async fn insert_wish(&self, wish: &Wish) -> Result<Making, Error> {
        if wish.awaits_password {
            return Err(no_password());
        }
        match wish.draft.code.clone() {
            Some(code) => self.insert_chosen(code, wish).await,
            None if wish.draft.private => self.insert_private(wish).await,
            None => self.insert_generated(wish).await,
        }
    }

    /// Whether the caller may make such a link; [`Links::wish`] asks it first.
    pub fn check_rights(&self, caller: Caller, input: DraftInput<'_>) -> Result<(), Error> {
        if caller != Caller::Anonymous {
            // A domain that is none is told by its field.
            let domain = match input.domain {
                Some(name) => self.parts.domains.named(name),
                None => caller.domain(),
            };
            let domain = domain.unwrap_or(DomainId::BASE);
            return if caller.may_create_on(domain) { Ok(()) } else { Err(Error::NotAllowed) };
        }
        let fields = input.fields_that_need_a_key();
        // Strangers would share one link, and its clicks.
        let is_hashed = matches!(self.parts.generator.scheme(), Scheme::Hash(_)) && input.custom_code.is_none();
        if self.parts.policy == CreatePolicy::Open && fields.is_empty() && !is_hashed {
            return Ok(());
        }
        let error = |field| FieldError::new(field, "only callers with an API key may set it");
        Err(Error::KeyNeeded(fields.into_iter().map(error).collect()))
    }

    async fn insert_chosen(&self, code: Code, wish: &Wish) -> Result<Making, Error> {
        let id = self.parts.ids.next().await?;
        wish.last(self.insert(id, code, CodeOrigin::Custom, wish).await?)
    }

    async fn insert_private(&self, wish: &Wish) -> Result<Making, Error> {
        for _ in 0..DRAWS {
            let code = self.parts.generator.private_code(wish.draft.password.is_some())?;
            let id = self.parts.ids.next().await?;
            match self.insert(id, code, CodeOrigin::Generated, wish).await? {
                Insertion::CodeTaken | Insertion::Lookalike => {}
                last => return wish.last(last),
            }
        }
        Err(no_free_code(DRAWS))
    }

    async fn insert_generated(&self, wish: &Wish) -> Result<Making, Error> {
        let limit = match self.parts.generator.scheme() {
            Scheme::Random(_) => DRAWS,
            Scheme::Counter(..) | Scheme::Permuted(..) | Scheme::Snowflake(_) => SKIPS,
            Scheme::Hash(_) => SALTS,
        };
        // An id that no link took is good for the next try, unless the code is made of it.
        let mut id = self.parts.ids.next().await?;
        let needs_another = matches!(self.parts.generator.scheme(), Scheme::Snowflake(_));
        let mut taken = 0;
        for attempt in 0..limit + MOST_PASSED_OVER {
            if needs_another && attempt > 0 {
                id = self.parts.ids.next().await?;
            }
            let source = Source { id, caller: wish.caller, target: &wish.draft.target, attempt };
            let Some(code) = self.parts.generator.code(source).await? else { continue };
            match self.insert(id, code.clone(), CodeOrigin::Generated, wish).await? {
                Insertion::CodeTaken | Insertion::Lookalike => taken += 1,
                last => return wish.last(last),
            }
            if let Some(link) = self.same_by_hash(&code, wish).await? {
                return Ok(Making::Created(Created { link, is_new: false }));
            }
            if taken == limit {
                break;
            }
        }
        Err(no_free_code(limit))
    }

    /// With hashed codes, the link that already has this code, if it is the caller's own, live and to the same target, and
    /// neither has anything else: then it is what was asked for.
    async fn same_by_hash(&self, code: &Code, wish: &Wish) -> Result<Option<Link>, Error> {
        if !matches!(self.parts.generator.scheme(), Scheme::Hash(_)) || !wish.draft.is_plain() {
            return Ok(None);
        }
        let is_same =
            |link: &Link| link.owner == wish.caller.owner() && link.target == wish.draft.target && link.is_plain();
        Ok(self.store.find_link(wish.draft.domain, code).await?.filter(is_same))
    }

    async fn insert(&self, id: snowflake::Id, code: Code, origin: CodeOrigin, wish: &Wish) -> Result<Insertion, Error> {
        let Wish { draft, caller, now, receipt, .. } = wish.clone();
        let (id, domain) = (LinkId(id.into()), draft.domain);
        let terms = Terms { receipt, reuse: draft.reuse };
        let link = NewLink { id, domain, code: code.clone(), origin, draft, caller, now, terms };
        if origin == CodeOrigin::Custom {
            // It may have been another link's, which is deleted, and which others may still know.
            let insert = move |store: Store| async move { store.insert_link(link).await };
            return Ok(self.shared.change((domain, &code), now, insert, made).await?);
        }
        let insertion = self.store.insert_link(link).await?;
        if let Insertion::Inserted(link) = &insertion {
            self.shared.welcome(link, now);
        }
        Ok(insertion)
    }
}

/// A password was sent by a way on which nobody hashes it: better no link than one without it.
pub(super) fn no_password() -> Error {
    Error::Invalid(vec![FieldError::new("password", "it cannot be set here; leave it out")])
}

fn made(insertion: &Insertion) -> Made {
    match insertion {
        Insertion::Inserted(link) => Made::link(link),
        Insertion::CodeTaken | Insertion::Lookalike | Insertion::Found(_) | Insertion::Answered(_) => Made::default(),
    }
}

fn no_free_code(tries: u32) -> Error {
    tracing::error!(
        tries,
        "no code was free: the codes of this length are nearly used up, or their generator is broken"
    );
    Error::NoFreeCode(tries)
}
