//! The shared cache of links.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use hny_domain::{Code, DomainId, Lead, Timestamp, Version};
use redis::Script;

use crate::reads::Read;
use crate::record;
use crate::session::Session;
use crate::{Message, Prefix, Unavailable};

static ANNOUNCE: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!("scripts/announce.lua")));
static CHANGE: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!("scripts/change.lua")));
static FILL: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!("scripts/fill.lua")));

/// How long a state is kept at most.
const LONGEST: Duration = Duration::from_hours(24);

/// How long a state is kept at least, however soon its link ends: as long as it is there, no older one can come back.
const SHORTEST: Duration = Duration::from_secs(10);

/// How long an announced change keeps readers and fills away, when its node never says what became of it. Longer than any
/// commit takes.
const ANNOUNCED: Duration = Duration::from_mins(1);

/// The shared cache of one generation, on one connection. Made for a few questions, not to be kept: later the generation or
/// the run may be another.
///
/// A change of a link is announced before its commit, and published after it: between the two nobody takes a state of that code
/// from here, and no fill brings one. A node that dies between the two leaves nothing but that, for a minute. Where the
/// announcement failed, another generation must begin by the commit itself.
#[derive(Debug, Clone)]
pub struct Links {
    session: Arc<Session>,
    prefix: Prefix,
    generation: u64,
}

/// A question that is under way.
#[derive(Debug)]
pub struct Asked(Read);

/// What is known of a code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Known<T> {
    /// The change after which this was so.
    pub version: Version,
    /// The link, as it was taken; `None` is a deleted one.
    pub link: Option<T>,
}

impl Links {
    pub(crate) fn new(session: Arc<Session>, prefix: &Prefix, generation: u64) -> Self {
        Self { session, prefix: prefix.clone(), generation }
    }

    /// Asks what is known of a code. Those who ask at about the same time ask together.
    pub fn ask(&self, domain: DomainId, code: &Code) -> Asked {
        Asked(self.session.read(self.key(domain, code)))
    }

    /// What is known of a code, its link as `take` takes it. `None` is nothing: ask the database.
    pub async fn find<T>(
        &self,
        domain: DomainId,
        code: &Code,
        take: impl FnOnce(Lead<'_>) -> T,
    ) -> Result<Option<Known<T>>, Unavailable> {
        self.ask(domain, code).answer(take).await
    }

    /// Keeps what the database said of a link, unless a newer state is there or a change is announced; whether it was kept.
    /// What was asked of the database more than some seconds ago must not come here.
    pub async fn fill(
        &self,
        domain: DomainId,
        code: &Code,
        lead: Lead<'_>,
        now: Timestamp,
    ) -> Result<bool, Unavailable> {
        self.land(&self.key(domain, code), lead, now, "").await
    }

    /// As [`Links::fill`], for a link that was just made under a code that nobody had before: all nodes are told.
    pub async fn welcome(
        &self,
        domain: DomainId,
        code: &Code,
        lead: Lead<'_>,
        now: Timestamp,
    ) -> Result<bool, Unavailable> {
        let message = Message { domain, code: code.clone(), version: lead.version }.to_string();
        self.land(&self.key(domain, code), lead, now, &message).await
    }

    async fn land(&self, key: &str, lead: Lead<'_>, now: Timestamp, message: &str) -> Result<bool, Unavailable> {
        let mut call = FILL.key(key);
        call.arg(record::write_version(lead.version)).arg(record::write(Some(lead))).arg(lifetime(Some(lead), now));
        call.arg(self.channel()).arg(message);
        self.session.ask(async |redis| call.invoke_async(redis).await).await
    }

    /// A change of this code is about to be committed.
    pub async fn announce(&self, domain: DomainId, code: &Code) -> Result<(), Unavailable> {
        let mut call = ANNOUNCE.key(self.key(domain, code));
        call.arg(millis(ANNOUNCED));
        self.session.ask(async |redis| call.invoke_async(redis).await).await
    }

    /// An announced change is committed: the code has this state now. All nodes are told.
    pub async fn publish(
        &self,
        domain: DomainId,
        code: &Code,
        version: Version,
        lead: Option<Lead<'_>>,
        now: Timestamp,
    ) -> Result<(), Unavailable> {
        let message = Message { domain, code: code.clone(), version }.to_string();
        let state = record::write(lead);
        self.end(&self.key(domain, code), version, &state, lifetime(lead, now), &message).await
    }

    /// Nothing came of an announced change, for certain.
    pub async fn withdraw(&self, domain: DomainId, code: &Code) -> Result<(), Unavailable> {
        self.end(&self.key(domain, code), Version(0), "", millis(SHORTEST), "").await
    }

    async fn end(
        &self,
        key: &str,
        version: Version,
        state: &str,
        lifetime: u64,
        message: &str,
    ) -> Result<(), Unavailable> {
        let mut call = CHANGE.key(key);
        call.arg(record::write_version(version)).arg(state).arg(lifetime).arg(self.channel()).arg(message);
        self.session.ask(async |redis| call.invoke_async(redis).await).await
    }

    fn key(&self, domain: DomainId, code: &Code) -> String {
        format!("{}{}:link:{}:{code}", self.prefix, self.generation, domain.0)
    }

    fn channel(&self) -> String {
        format!("{}changes", self.prefix)
    }
}

impl Asked {
    /// Waits until there is an answer, be it that there will be none, or for 5 ms: `false` then. What is asked elsewhere at the
    /// same time is answered sooner from then on.
    pub async fn is_in_time(&mut self) -> bool {
        self.0.is_in_time().await
    }

    /// What is known of the code, its link as `take` takes it. `None` is nothing: ask the database.
    pub async fn answer<T>(self, take: impl FnOnce(Lead<'_>) -> T) -> Result<Option<Known<T>>, Unavailable> {
        let known = |version, lead: Option<Lead<'_>>| Known { version, link: lead.map(take) };
        self.0.answer(|record| record.and_then(|record| record::read(record, known))).await
    }
}

/// How long a state is kept, in milliseconds: not longer than the link lasts.
fn lifetime(lead: Option<Lead<'_>>, now: Timestamp) -> u64 {
    let end = lead.and_then(|lead| lead.rules.expires_at);
    millis(end.map_or(LONGEST, |end| now.until(end).clamp(SHORTEST, LONGEST)))
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

#[test]
fn a_state_is_kept_for_as_long_as_its_link_lasts() {
    let now = Timestamp::from_millis(1_000_000);
    let of = |expires_at| {
        let rules = hny_domain::Rules { expires_at, ..hny_domain::Rules::PLAIN };
        let (link, version) = (hny_domain::LinkId(1), Version(1));
        lifetime(Some(Lead { link, target: "https://example.com/", expired_url: None, rules, version }), now)
    };
    let day = 24 * 60 * 60 * 1000;
    assert_eq!((of(None), lifetime(None, now)), (day, day));
    assert_eq!(of(Some(now.after(Duration::from_hours(25)))), day);
    assert_eq!(of(Some(now.after(Duration::from_secs(90)))), 90_000);
    assert_eq!(of(Some(now.after(Duration::from_secs(1)))), 10_000);
    assert_eq!(of(Some(Timestamp::from_millis(0))), 10_000);
}
