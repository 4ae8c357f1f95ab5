//! The handles that a request may need.

use std::sync::Arc;
use std::time::Duration;

use hny_clicks::{Recorder, Statistics};
use hny_domain::{BaseUrl, Clock, Defaults, Domains};
use hny_guard::{Blocks, Guard};
use hny_resolve::Resolver;
use hny_service::{AbuseReports, Keys, Links, Receipts};

use crate::cors::Origins;
use crate::metrics::Metrics;
use crate::readiness::Readiness;
use crate::roles::Roles;

/// What the server is made of; built once, by the binary.
#[derive(Debug)]
pub struct Parts {
    /// The verbs on links.
    pub links: Links,
    /// The verbs on reports of abuse.
    pub abuse: AbuseReports,
    /// The verbs on API keys.
    pub keys: Keys,
    /// The verbs on what is blocked.
    pub blocks: Blocks,
    /// What was answered to requests that may come again.
    pub receipts: Receipts,
    /// The read road.
    pub resolver: Resolver,
    /// The click road.
    pub recorder: Recorder,
    /// What clicks add up to.
    pub statistics: Statistics,
    /// Who may, and how much.
    pub guard: Guard,
    /// What the short URLs of the first domain start with.
    pub base: Arc<BaseUrl>,
    /// On which domains links live.
    pub domains: Arc<Domains>,
    /// The field in which trusted proxies give names to visits; `None` where they do not.
    pub visit_id_field: Option<String>,
    /// What time it is.
    pub clock: Clock,
    /// What links do that do not say.
    pub defaults: Defaults,
    /// Whether this node wants visitors.
    pub readiness: Readiness,
    /// What this node answers.
    pub roles: Roles,
    /// Whose pages may call the API.
    pub origins: Origins,
    /// Whom to tell of a hole, as URIs; nobody has no page.
    pub security_contacts: Vec<String>,
    /// What is counted.
    pub metrics: Metrics,
    /// How long the body of a request may take to arrive.
    pub body_timeout: Duration,
}

/// The server's parts, shared by all connections. Cheap to clone.
pub type App = Arc<Parts>;
