//! From settings to parts: the only place where concrete parts are made, and where randomness and the clock come from.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use hny_domain::{BaseUrl, BaseUrlError, Clock};
use hny_resolve::Resolver;
use hny_server::{App, Limits, Metrics, Parts, Readiness};
use hny_service::{Generator, Keys, Links, Randomness};
use hny_store::{OpenError, Settings, Store};
use rand::rngs::{StdRng, SysRng};
use rand::{SeedableRng, TryRng};
use thiserror::Error;

use crate::config::{self, Config, Database};

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
    /// The code length is out of bounds.
    #[error("code_length: {0}")]
    CodeLength(#[from] hny_codes::LengthError),
}

/// The verbs and what they work on. The server is built over them, and the commands use them as they are.
pub struct Verbs {
    /// The open database, to be closed at the end.
    pub store: Store,
    /// The verbs on links.
    pub links: Links,
    /// The verbs on API keys.
    pub keys: Keys,
    /// What short URLs start with.
    pub base: Arc<BaseUrl>,
    /// What time it is.
    pub clock: Clock,
}

/// Opens the database that the settings name.
pub async fn open_store(settings: &config::Store, readers: usize) -> Result<Store, ComposeError> {
    let Database::Sqlite(path) = &settings.database;
    Ok(Store::open(Settings { path: path.clone(), readers }).await?)
}

/// Opens the database that the settings name, which must be there.
pub async fn open_existing_store(settings: &config::Store) -> Result<Store, ComposeError> {
    let Database::Sqlite(path) = &settings.database;
    if !path.exists() {
        return Err(ComposeError::NoDatabase(path.clone()));
    }
    open_store(settings, 1).await
}

/// Builds the verbs for a service that answers on `bound`.
pub fn verbs(config: &Config, store: Store, bound: SocketAddr) -> Result<Verbs, ComposeError> {
    let base = Arc::new(BaseUrl::new(&config.http.base_url.url(bound))?);
    let clock = Clock::system();
    let randomness = Randomness::new(seeded_generator()?);
    let links = &config.links;
    let generator = Generator::random(links.code_alphabet, links.code_length, Arc::clone(&base), randomness.clone())?;
    Ok(Verbs {
        links: Links::new(store.clone(), generator, Arc::clone(&base), clock.clone(), links.create),
        keys: Keys::new(store.clone(), clock.clone(), randomness),
        store,
        base,
        clock,
    })
}

/// Builds the server's parts over the verbs.
pub fn app(config: &Config, verbs: &Verbs, readiness: Readiness) -> App {
    let resolver = Resolver::new(verbs.store.clone(), config.store.cache_bytes);
    Arc::new(Parts {
        links: verbs.links.clone(),
        keys: verbs.keys.clone(),
        metrics: Metrics::new(resolver.clone()),
        resolver,
        base: Arc::clone(&verbs.base),
        clock: verbs.clock.clone(),
        defaults: config.links.defaults,
        readiness,
        body_timeout: config.http.read_timeout,
    })
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
