//! From settings to parts: the only place where concrete parts are made, and where randomness and the clock come from.

use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::sync::Arc;

use hny_clicks::{Recorder, Statistics};
use hny_domain::{BaseUrl, Clock, DomainName, Domains};
use hny_guard::{Attempts, Blocklist, Blocks, Counted, Guard, Limit, Passwords, Places, SafeBrowsing, UnknownCodes};
use hny_redis::Redis;
use hny_resolve::Resolver;
use hny_server::{App, Limits, Metrics, Parts, Readiness};
use hny_service::{AbuseReports, Generator, Ids, Keys, Links, Randomness, Receipts};
use hny_store::{NodeWish, Store};
use rand::rngs::{StdRng, SysRng};
use rand::{SeedableRng, TryRng};

use crate::config::{self, Clicks, Config, Database};

mod blocking;
mod clicks;
mod codes;
mod error;
mod store;

pub use blocking::load_blocklists;
pub use clicks::{ClickRoad, click_road};
pub use codes::{CodeKeyEpoch, adopt_code_key};
pub use error::ComposeError;
pub use store::{open_existing_store, open_store, open_store_for_command};

/// The verbs and what they work on. The server is built over them, and the commands use them as they are.
pub struct Verbs {
    /// The open database, to be closed at the end.
    pub store: Store,
    /// What nodes share, if there is a Redis and this is a node.
    pub redis: Option<Redis>,
    /// The verbs on links.
    pub links: Links,
    /// The verbs on reports of abuse.
    pub abuse: AbuseReports,
    /// The verbs on API keys.
    pub keys: Keys,
    /// The verbs on what is blocked.
    pub blocks: Blocks,
    /// Where links may not lead.
    pub blocklist: Blocklist,
    /// Who is asked whether a page is harmful, if somebody is.
    pub safe_browsing: Option<SafeBrowsing>,
    /// What was answered to requests that may come again.
    pub receipts: Receipts,
    /// What clicks add up to.
    pub statistics: Statistics,
    /// The ids of links; a service keeps their lease.
    pub ids: Ids,
    /// On which domains links live.
    pub domains: Arc<Domains>,
    /// What time it is.
    pub clock: Clock,
}

/// Who asks for the verbs, and so how many numbers are leased at a time, and which node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// A service that makes many links.
    Service,
    /// A service that makes none, and needs no secret and no numbers for them.
    Redirects,
    /// A command that makes one.
    Command,
}

impl Use {
    fn numbers(self) -> u32 {
        match self {
            Self::Service => 1_000,
            Self::Redirects | Self::Command => 1,
        }
    }

    /// The ids of the settings are the service's own, and it may be running: a command takes any that are free.
    fn node(self, set: NodeWish) -> NodeWish {
        match self {
            Self::Service => set,
            Self::Redirects | Self::Command => NodeWish::default(),
        }
    }
}

/// Builds the verbs for a service that answers on `bound`.
pub async fn verbs(config: &Config, store: Store, bound: SocketAddr, purpose: Use) -> Result<Verbs, ComposeError> {
    let domains = Arc::new(domains(&config.http, &store, bound).await?);
    let clock = Clock::system();
    let randomness = Randomness::new(seeded_generator()?);
    let (scheme, key) = codes::scheme(config, &store, &clock, purpose)?;
    if let Some(key) = &key {
        codes::check(key).await?;
    }
    let generator =
        Generator::new(scheme, key, config.codes.unlucky.list()?, Arc::clone(domains.base()), randomness.clone())?;
    let ids = Ids::new(store.clone(), clock.clone(), purpose.node(config.codes.node), &randomness)?;
    let blocklist = Blocklist::new(config.blocking.private_targets);
    let safe_browsing = blocking::safe_browsing(config.blocking.safe_browsing.as_ref(), &clock);
    let parts = hny_service::Parts {
        generator,
        ids: ids.clone(),
        domains: Arc::clone(&domains),
        clock: clock.clone(),
        policy: config.links.create,
        screen: blocking::screen(&blocklist, safe_browsing.as_ref()),
    };
    let redis = redis(config, purpose);
    let links = Links::new(store.clone(), parts);
    let links = if config.clicks == Clicks::Store { links } else { links.without_clicks() };
    Ok(Verbs {
        links: match second_level(config, redis.as_ref()) {
            Some(redis) => links.sharing(redis),
            None => links,
        },
        redis,
        abuse: AbuseReports::new(store.clone(), clock.clone(), randomness.clone()),
        keys: Keys::new(store.clone(), Arc::clone(&domains), clock.clone(), randomness),
        blocks: Blocks::new(store.clone(), clock.clone(), blocklist.clone()),
        blocklist,
        safe_browsing,
        receipts: Receipts::new(store.clone(), clock.clone()),
        statistics: clicks::statistics(config, &store),
        ids,
        store,
        domains,
        clock,
    })
}

/// The domains of the settings, by their numbers in the database.
async fn domains(config: &config::Http, store: &Store, bound: SocketAddr) -> Result<Domains, ComposeError> {
    let base = Arc::new(BaseUrl::new(&config.base_url.url(bound))?.beside(&config.domains));
    if config.domains.is_empty() {
        return Ok(Domains::one(base));
    }
    let hosts = config.domains.iter().map(DomainName::host).collect();
    let numbers = store.number_domains(hosts).await?;
    Ok(Domains::new(base, numbers.into_iter().zip(config.domains.iter().cloned()))?)
}

/// Begins to connect to the Redis of the settings, which may be down. A command does without: what it changes becomes known
/// to the nodes all the same.
fn redis(config: &Config, purpose: Use) -> Option<Redis> {
    let config::Redis { address, prefix } = config.redis.clone();
    (purpose != Use::Command).then(|| Some(Redis::open(address?, prefix))).flatten()
}

/// The Redis that links are kept in, too. A file of SQLite answers sooner than it does.
fn second_level(config: &Config, redis: Option<&Redis>) -> Option<Redis> {
    match config.store.database {
        Database::Sqlite(_) => None,
        Database::Postgres(_) => redis.cloned(),
    }
}

/// Builds the server's parts over the verbs.
pub fn app(config: &Config, verbs: &Verbs, recorder: Recorder, readiness: Readiness) -> Result<App, ComposeError> {
    let resolver = Resolver::new(verbs.store.clone(), config.store.cache_bytes);
    let resolver = match second_level(config, verbs.redis.as_ref()) {
        Some(redis) => resolver.sharing(redis, verbs.clock.clone()),
        None => resolver,
    };
    Ok(Arc::new(Parts {
        links: verbs.links.clone(),
        abuse: verbs.abuse.clone(),
        keys: verbs.keys.clone(),
        blocks: verbs.blocks.clone(),
        metrics: Metrics::new(resolver.clone(), recorder.clone(), verbs.blocklist.clone(), verbs.safe_browsing.clone()),
        receipts: verbs.receipts.clone(),
        resolver,
        recorder,
        statistics: verbs.statistics.clone(),
        guard: guard(config, verbs)?,
        base: Arc::clone(verbs.domains.base()),
        domains: Arc::clone(&verbs.domains),
        visit_id_field: config.access.visit_id_field.clone(),
        clock: verbs.clock.clone(),
        defaults: config.links.defaults,
        readiness,
        roles: config.http.roles,
        origins: config.access.origins.clone(),
        security_contacts: config.http.security_contacts.clone(),
        body_timeout: config.http.read_timeout,
    }))
}

/// The limits of the settings, with nobody counted yet on this node.
fn guard(config: &Config, verbs: &Verbs) -> Result<Guard, ComposeError> {
    let (access, redis) = (&config.access, verbs.redis.as_ref());
    Ok(Guard {
        proxies: access.trusted_proxies.clone(),
        creates: places("creates", access.create_limit, access, redis),
        unknown: access.unknown_limit.map(UnknownCodes::new),
        passwords: Passwords::new(hashed_at_once(config.http.threads), seeded_generator()?),
        attempts: Attempts::new(
            places("passwords", access.password_limit, access, redis),
            places("link-passwords", access.link_password_limit, access, redis),
        ),
        reports: places("reports", access.report_limit, access, redis),
        blocklist: verbs.blocklist.clone(),
        safe_browsing: verbs.safe_browsing.clone(),
    })
}

/// Places within a limit, which nodes share if they have a Redis.
fn places<K: Counted>(
    name: &'static str,
    limit: Option<Limit>,
    access: &config::Access,
    redis: Option<&Redis>,
) -> Option<Places<K>> {
    let places = Places::new(name, limit?);
    Some(match redis {
        Some(redis) => places.sharing(redis.clone(), access.pseudonyms.clone()),
        None => places,
    })
}

/// How many passwords are hashed at once. Each takes a processor and 19 MiB for some 20 ms; redirects shall have half of them left.
fn hashed_at_once(threads: NonZeroUsize) -> usize {
    threads.get().div_ceil(2)
}

/// What a client may ask of a connection.
pub fn limits(config: &config::Http, max_connections: usize) -> Limits {
    Limits { read_timeout: config.read_timeout, idle_timeout: config.idle_timeout, max_connections }
}

/// A cryptographic generator, seeded by the system.
fn seeded_generator() -> Result<StdRng, ComposeError> {
    let mut seed = <StdRng as SeedableRng>::Seed::default();
    SysRng.try_fill_bytes(&mut seed).map_err(|_| ComposeError::Randomness)?;
    Ok(StdRng::from_seed(seed))
}
