//! From settings to parts: the only place where concrete parts are made, and where randomness and the clock come from.

use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

use hny_clicks::{CountryFileError, Recorder, SpoolError, Statistics};
use hny_codes::{CounterCodes, HashCodes, Permutation, RandomCodes, snowflake};
use hny_domain::{BaseUrl, BaseUrlError, Clock, DomainName, Domains, DomainsError};
use hny_guard::{Attempts, Blocklist, Blocks, Counted, FileError, Guard, Limit, Passwords, Places, UnknownCodes};
use hny_redis::Redis;
use hny_resolve::Resolver;
use hny_server::{App, Limits, Metrics, Parts, Readiness};
use hny_service::{
    AbuseReports, CodeKey, CodeKeyError, Generator, Ids, Keys, Links, Numbers, Randomness, Receipts, Scheme,
};
use hny_store::{NodeWish, OpenError, PostgresUrl, Settings, Store, StoreError};
use rand::rngs::{StdRng, SysRng};
use rand::{SeedableRng, TryRng};
use thiserror::Error;

use crate::config::{self, Config, Database};

mod blocking;
mod clicks;

pub use blocking::load_blocklists;
pub use clicks::{ClickRoad, click_road};

/// Why the parts could not be put together.
#[derive(Debug, Error)]
pub enum ComposeError {
    /// The database cannot be opened.
    #[error(transparent)]
    Store(#[from] OpenError),
    /// There is no database yet, and what was asked for is in one.
    #[error(
        "there is no database at {0:?}; is this the folder, or the --database-url, of the service? 'hny serve' makes one"
    )]
    NoDatabase(PathBuf),
    /// The system has no randomness to give.
    #[error("the system's random generator does not answer; without it no code and no key can be made")]
    Randomness,
    /// The base URL is none.
    #[error("base_url: {0}")]
    BaseUrl(#[from] BaseUrlError),
    /// The domains cannot be told apart.
    #[error("domains: {0}")]
    Domains(#[from] DomainsError),
    /// A scheme without its secret.
    #[error(
        "HNY_CODE_KEY: must be set where links are made with 'permuted' or 'snowflake' codes; this node is not set up to make any"
    )]
    NoCodeKey,
    /// The code length is out of bounds.
    #[error("code_length: {0}")]
    CodeLength(#[from] hny_codes::LengthError),
    /// The code key or length is no good.
    #[error("code_key: {0}")]
    Permutation(#[from] hny_codes::PermutationError),
    /// A word cannot be on the list.
    #[error("unlucky_words: {0}")]
    UnluckyWord(#[from] hny_codes::WordError),
    /// A node id is out of bounds.
    #[error("{0}")]
    Node(#[from] snowflake::NodeError),
    /// Codes were made with another secret before, or the store cannot say.
    #[error(transparent)]
    CodeKey(#[from] CodeKeyError),
    /// The store cannot note a secret, or not say which database it is.
    #[error(transparent)]
    Unanswered(#[from] StoreError),
    /// Clicks have no place to wait.
    #[error(transparent)]
    Spool(#[from] SpoolError),
    /// Nobody can tell countries.
    #[error(transparent)]
    Country(#[from] CountryFileError),
    /// A list of what is blocked cannot be read.
    #[error(transparent)]
    Blocklist(#[from] FileError),
    /// No id can be made.
    #[error(transparent)]
    Ids(#[from] hny_service::IdsError),
}

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

/// Opens the database that the settings name, for a service.
pub async fn open_store(settings: &config::Store, readers: usize) -> Result<Store, ComposeError> {
    open(settings, settings.replicas.clone(), readers).await
}

/// Opens the database that the settings name, for one command, which nothing but the primary can serve.
pub async fn open_store_for_command(settings: &config::Store) -> Result<Store, ComposeError> {
    open(settings, Vec::new(), 1).await
}

async fn open(settings: &config::Store, replicas: Vec<PostgresUrl>, readers: usize) -> Result<Store, ComposeError> {
    Ok(Store::open(match &settings.database {
        Database::Sqlite(path) => Settings::Sqlite { path: path.clone(), readers },
        Database::Postgres(primary) => Settings::Postgres { primary: primary.clone(), replicas, readers },
    })
    .await?)
}

/// Opens the database that the settings name, for one command; it must be there.
pub async fn open_existing_store(settings: &config::Store) -> Result<Store, ComposeError> {
    if let Database::Sqlite(path) = &settings.database
        && !path.exists()
    {
        return Err(ComposeError::NoDatabase(path.clone()));
    }
    open_store_for_command(settings).await
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
    let (scheme, key) = scheme(config, &store, &clock, purpose)?;
    if let Some(key) = &key {
        check(key).await?;
    }
    let generator =
        Generator::new(scheme, key, config.codes.unlucky.list()?, Arc::clone(domains.base()), randomness.clone())?;
    let ids = Ids::new(store.clone(), clock.clone(), purpose.node(config.codes.node), &randomness)?;
    let blocklist = Blocklist::new(config.blocking.private_targets);
    let parts = hny_service::Parts {
        generator,
        ids: ids.clone(),
        domains: Arc::clone(&domains),
        clock: clock.clone(),
        policy: config.links.create,
        screen: blocking::screen(&blocklist),
    };
    let redis = redis(config, purpose);
    let links = Links::new(store.clone(), parts);
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

/// Sees to it that a wrong secret is found out at the start. While nobody can say which is right, no code is made; everything
/// else works.
async fn check(key: &CodeKey) -> Result<(), ComposeError> {
    match key.check().await {
        Err(CodeKeyError::Store(error @ StoreError::Unavailable(_))) => {
            tracing::warn!(%error, "HNY_CODE_KEY cannot be checked yet; it is before the first code is made");
            Ok(())
        }
        checked => Ok(checked?),
    }
}

/// The scheme of the settings. One with a secret must have the secret that its codes were made with before.
fn scheme(
    config: &Config,
    store: &Store,
    clock: &Clock,
    purpose: Use,
) -> Result<(Scheme, Option<CodeKey>), ComposeError> {
    let codes = &config.codes;
    if purpose == Use::Redirects {
        // Nobody asks it for a code, and these need nothing.
        return Ok((Scheme::Random(RandomCodes::new(codes.alphabet, codes.length)?), None));
    }
    if let Some(permutation) = permutation(codes)? {
        let key = CodeKey::new(store.clone(), clock.clone(), permuted_length(codes), &permutation);
        let scheme = match codes.scheme {
            hny_codes::Scheme::Snowflake => Scheme::Snowflake(permutation),
            _ => Scheme::Permuted(permutation, Numbers::new(store.clone(), purpose.numbers())),
        };
        return Ok((scheme, Some(key)));
    }
    let scheme = match codes.scheme {
        hny_codes::Scheme::Counter => {
            Scheme::Counter(CounterCodes::new(codes.length)?, Numbers::new(store.clone(), purpose.numbers()))
        }
        hny_codes::Scheme::Hash => Scheme::Hash(HashCodes::new(codes.length)?),
        _ => Scheme::Random(RandomCodes::new(codes.alphabet, codes.length)?),
    };
    Ok((scheme, None))
}

/// The permutation that the settings ask for, where the scheme has one.
fn permutation(codes: &config::Codes) -> Result<Option<Permutation>, ComposeError> {
    match &codes.key {
        None if codes.scheme.needs_key() => Err(ComposeError::NoCodeKey),
        Some(key) if codes.scheme.needs_key() => {
            Ok(Some(Permutation::new(key.reveal(), permuted_length(codes).into())?))
        }
        _ => Ok(None),
    }
}

/// How many characters a permuted code has.
fn permuted_length(codes: &config::Codes) -> u8 {
    let length = if codes.scheme == hny_codes::Scheme::Snowflake { snowflake::CODE_LENGTH } else { codes.length };
    // A code length is at most 32.
    u8::try_from(length).unwrap_or(u8::MAX)
}

/// The number of an epoch in which codes are made with one secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CodeKeyEpoch(pub u64);

/// Has codes made with the secret of the settings from now on; `None` where the scheme has no secret.
pub async fn adopt_code_key(
    config: &Config,
    store: &Store,
    clock: &Clock,
) -> Result<Option<CodeKeyEpoch>, ComposeError> {
    let Some(permutation) = permutation(&config.codes)? else { return Ok(None) };
    let (length, fingerprint) = (permuted_length(&config.codes), permutation.fingerprint());
    Ok(Some(CodeKeyEpoch(store.adopt_code_key(length, fingerprint, clock.now()).await?)))
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
        metrics: Metrics::new(resolver.clone(), recorder.clone(), verbs.blocklist.clone()),
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
