//! Who is asked whether a page is harmful, and how: one question over HTTP, one answer.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hny_domain::Timestamp;
use rustls::crypto::ring;
use thiserror::Error;
use tokio::task::spawn_blocking;
use ureq::Agent;
use ureq::http::HeaderMap;
use ureq::http::header::{CONTENT_TYPE, RETRY_AFTER};
use ureq::tls::{Certificate, RootCerts, TlsConfig};

use super::answer::Answer;
use super::expressions::{self, FullHash};
use super::kept::Question;
use super::web_risk;

/// How long an answer may take. (Whoever makes a link waits for less.)
const PATIENCE: Duration = Duration::from_secs(5);

/// The largest answer, in bytes: some thousand hashes.
const LARGEST: u64 = 256 * 1024;

/// How many bytes of a hash Safe Browsing is told.
const PREFIX: usize = 4;

/// How many prefixes it is asked for at once, if links are made in bulk. The description allows 1,000; a URL has at most 30, and the
/// question is a URL itself, for which relays have less room.
const PREFIXES: usize = 250;

/// Which service is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Service {
    /// Google Safe Browsing v5, `hashes:search`: free, and only for what earns no money. It is told four bytes of hashes.
    SafeBrowsing,
    /// Google Web Risk, `uris:search`: its paid sister. It is told the URL.
    WebRisk,
}

/// A service and the key to it. Cheap to clone.
#[derive(Clone)]
pub struct Provider {
    service: Service,
    /// Without a slash at the end.
    endpoint: Arc<str>,
    key: Arc<str>,
    agent: Agent,
}

/// What a service is asked at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Inquiry {
    /// What Web Risk is told. It is asked about one URL at a time.
    pub(super) url: String,
    /// What Safe Browsing is told, in part.
    pub(super) questions: Vec<Question>,
}

/// Why there is no answer. No text here has a URL or the key in it.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(super) enum ProviderError {
    /// The service does not want to answer.
    #[error("the service answers with status {status}; 400 and 403 are about the key, 429 about too many questions")]
    Refused {
        /// The status.
        status: u16,
        /// How long it wants to be left alone.
        retry_after: Option<Duration>,
    },
    /// The service answers, but not about this URL.
    #[error("the service does not take this URL and answers with status {0}")]
    NotThisUrl(u16),
    /// No connection, or no answer in time.
    #[error("the service does not answer within {} seconds", PATIENCE.as_secs())]
    Silent,
    /// What came is no answer, or too large for one.
    #[error("the service's answer cannot be read")]
    Unreadable,
}

/// What came, and of which media type.
struct Reply {
    body: Vec<u8>,
    is_json: bool,
}

impl Service {
    /// Where it is.
    pub const fn endpoint(self) -> &'static str {
        match self {
            Self::SafeBrowsing => "https://safebrowsing.googleapis.com",
            Self::WebRisk => "https://webrisk.googleapis.com",
        }
    }

    /// The page on which it says how far it can be trusted: its terms have it named with every warning.
    pub const fn advisory(self) -> &'static str {
        match self {
            Self::SafeBrowsing => "https://developers.google.com/safe-browsing/v4/advisory",
            Self::WebRisk => "https://cloud.google.com/web-risk/docs/advisory",
        }
    }
}

impl Provider {
    /// A service, at `endpoint`, and the key to it.
    pub fn new(service: Service, endpoint: &str, key: &str) -> Self {
        let config = Agent::config_builder()
            .timeout_global(Some(PATIENCE))
            .max_redirects(0)
            // Settings come from one place, which is not the environment of whatever library.
            .proxy(None)
            .http_status_as_error(false)
            .user_agent("hny")
            .tls_config(tls())
            .build();
        let endpoint = endpoint.trim_end_matches('/').into();
        Self { service, endpoint, key: key.into(), agent: config.into() }
    }

    /// The page on which it says how far it can be trusted.
    pub(super) fn advisory(&self) -> &'static str {
        self.service.advisory()
    }

    /// How many bytes of a hash it is told, or knows it by.
    pub(super) fn question_bytes(&self) -> usize {
        match self.service {
            Service::SafeBrowsing => PREFIX,
            Service::WebRisk => size_of::<FullHash>(),
        }
    }

    /// How many questions an inquiry has at most, unless a single URL has more.
    pub(super) fn questions_at_once(&self) -> usize {
        match self.service {
            Service::SafeBrowsing => PREFIXES,
            Service::WebRisk => 1,
        }
    }

    /// What it has to be asked about a URL.
    pub(super) fn hashes(&self, url: &str) -> Vec<FullHash> {
        match self.service {
            Service::SafeBrowsing => expressions::of_expressions(url),
            Service::WebRisk => vec![expressions::of_whole(&web_risk::told(url))],
        }
    }

    /// Asks, at `now`.
    pub(super) async fn ask(&self, inquiry: Inquiry, now: Timestamp) -> Result<Answer, ProviderError> {
        let provider = self.clone();
        // It fails only where it panics or the runtime ends.
        let asked = spawn_blocking(move || provider.ask_and_wait(&inquiry, now)).await;
        asked.unwrap_or(Err(ProviderError::Unreadable))
    }

    fn ask_and_wait(&self, inquiry: &Inquiry, now: Timestamp) -> Result<Answer, ProviderError> {
        let answer = match self.service {
            Service::SafeBrowsing => {
                let prefixes = inquiry.questions.iter().map(|question| URL_SAFE_NO_PAD.encode(&question[..PREFIX]));
                let reply = self.get("/v5/hashes:search", prefixes.map(|prefix| ("hashPrefixes", prefix)))?;
                Answer::read(&reply.body, reply.is_json)
            }
            Service::WebRisk => {
                let told = web_risk::told(&inquiry.url);
                let hash = expressions::of_whole(&told);
                let threats = web_risk::THREATS.iter().map(|threat| ("threatTypes", (*threat).to_owned()));
                let reply = self.get("/v1/uris:search", threats.chain([("uri", told)]))?;
                web_risk::read(&reply.body, hash, now)
            }
        };
        answer.ok_or(ProviderError::Unreadable)
    }

    fn get(
        &self,
        path: &str,
        parameters: impl Iterator<Item = (&'static str, String)>,
    ) -> Result<Reply, ProviderError> {
        let request = self.agent.get(format!("{}{path}", self.endpoint)).query("key", &*self.key);
        let mut response = request.query_pairs(parameters).call().map_err(|_| ProviderError::Silent)?;
        let (status, head) = (response.status().as_u16(), response.headers().clone());
        let body = response.body_mut().with_config().limit(LARGEST).read_to_vec();
        if status != 200 {
            return Err(self.refusal(status, &head, &body.unwrap_or_default()));
        }
        let is_json = head.get(CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"application/json"));
        Ok(Reply { body: body.map_err(|_| ProviderError::Unreadable)?, is_json })
    }

    /// What it means that there is another status than 200.
    fn refusal(&self, status: u16, head: &HeaderMap, body: &[u8]) -> ProviderError {
        // A bad key is a bad request to Google, too.
        const BAD_KEY: &[u8] = b"API_KEY_INVALID";
        let is_of_url = matches!(status, 400 | 413 | 414) && self.service == Service::WebRisk;
        if is_of_url && !body.windows(BAD_KEY.len()).any(|text| text == BAD_KEY) {
            return ProviderError::NotThisUrl(status);
        }
        let seconds = head.get(RETRY_AFTER).and_then(|seconds| seconds.to_str().ok()?.parse().ok());
        ProviderError::Refused { status, retry_after: seconds.map(Duration::from_secs) }
    }
}

/// As everywhere here: rustls with ring, and the authorities that the system trusts.
fn tls() -> TlsConfig {
    let certificates = rustls_native_certs::load_native_certs().certs;
    let certificates: Vec<_> = certificates.iter().map(|one| Certificate::from_der(one).to_owned()).collect();
    TlsConfig::builder()
        .unversioned_rustls_crypto_provider(Arc::new(ring::default_provider()))
        .root_certs(RootCerts::new_with_certs(&certificates))
        .build()
}

impl fmt::Debug for Provider {
    /// Without the key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Provider").field("service", &self.service).finish_non_exhaustive()
    }
}
