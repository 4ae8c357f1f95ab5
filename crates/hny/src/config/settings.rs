//! Every setting there is: the one table that the flags, the environment, `hny.toml`, `hny config example` and
//! `docs/configuration.md` are made from. (A table: it may be longer than other files.)

use super::setting::{Kind, Names, Secrecy, Setting};

/// Settings that belong together.
#[derive(Debug, Clone, Copy)]
pub struct Group {
    /// The heading.
    pub title: &'static str,
    /// The settings, most needed first.
    pub settings: &'static [Setting],
}

/// Every setting, in the order in which they are listed.
pub fn all() -> impl Iterator<Item = &'static Setting> {
    GROUPS.iter().flat_map(|group| group.settings)
}

/// The setting with this key.
///
/// # Panics
///
/// When there is none: keys are written in our own code only, and a test reads each of them.
pub(super) fn of_key(key: &str) -> &'static Setting {
    let found = all().find(|setting| setting.names.key == key);
    #[expect(
        clippy::expect_used,
        reason = "every key that the code asks for is in the table; a test reads each of them"
    )]
    found.expect("the key is in the table")
}

const fn url_with_file(key: &'static str, env: &'static str, flag: &'static str) -> Secrecy {
    Secrecy::Url(Names { key, env, flag })
}

/// Every setting, by group.
pub const GROUPS: &[Group] = &[
    Group { title: "Where it answers", settings: ANSWERS },
    Group { title: "Connections", settings: CONNECTIONS },
    Group { title: "Where links are kept", settings: STORAGE },
    Group { title: "Links and their codes", settings: LINKS },
    Group { title: "Who may do what", settings: ACCESS },
    Group { title: "Clicks", settings: CLICKS },
    Group { title: "Metrics and logs", settings: OBSERVATION },
];

const ANSWERS: &[Setting] = &[
    Setting::new("listen", "HNY_LISTEN", "listen", "IP:PORT")
        .default("127.0.0.1:8080")
        .doc("The public address; port 0 takes a free one"),
    Setting::new("base_url", "HNY_BASE_URL", "base-url", "URL")
        .found("`http://` + listen")
        .doc("What short URLs start with; a path prefix is allowed"),
    Setting::new("domains", "HNY_DOMAINS", "domains", "LIST")
        .kind(Kind::List)
        .doc("Further domains that links live on, such as `go.example,links.example`: the `Host` of a visit says which. Every node has the same; a domain with links stays in the list"),
    Setting::new("roles", "HNY_ROLES", "roles", "LIST")
        .kind(Kind::List)
        .default("redirect,api,pages")
        .doc("What this node answers: short links (`redirect`), the API (`api`), the home page and what pages load (`pages`)"),
    Setting::new("security_contact", "HNY_SECURITY_CONTACT", "security-contact", "LIST")
        .kind(Kind::List)
        .doc("Whom to tell of a hole in this installation, such as `mailto:security@example.com`; `/.well-known/security.txt` says it"),
    Setting::new("threads", "HNY_THREADS", "threads", "N")
        .kind(Kind::Number)
        .found("number of cores")
        .doc("Threads that answer visitors, and as many for everything else, 1 to 1024"),
];

const CONNECTIONS: &[Setting] = &[
    Setting::new("max_connections", "HNY_MAX_CONNECTIONS", "max-connections", "N")
        .kind(Kind::Number)
        .default("10000")
        .doc("How many connections are open at once, 1 to 1000000; more wait"),
    Setting::new("read_timeout", "HNY_READ_TIMEOUT", "read-timeout", "TIME")
        .default("10s")
        .doc("The head and the body of a request must each have arrived in this time"),
    Setting::new("idle_timeout", "HNY_IDLE_TIMEOUT", "idle-timeout", "TIME")
        .default("75s")
        .doc("How long a kept-alive connection may be silent"),
    Setting::new("drain_delay", "HNY_DRAIN_DELAY", "drain-delay", "TIME").default("0s").doc(
        "How long after SIGTERM connections are still taken while `/readyz` says 503, so that a load balancer notices",
    ),
    Setting::new("drain_timeout", "HNY_DRAIN_TIMEOUT", "drain-timeout", "TIME")
        .default("30s")
        .doc("How long after that the requests that run may take to finish"),
];

const STORAGE: &[Setting] = &[
    Setting::new("database_url", "HNY_DATABASE_URL", "database-url", "URL")
        .default("sqlite:hny.db")
        .doc("The database: `sqlite:` and the path of a file, which is made if it is not there, or `postgres://user:password@host:5432/database`, the primary; docs/scaling.md has more")
        .secret(url_with_file("database_url_file", "HNY_DATABASE_URL_FILE", "database-url-file")),
    Setting::new("replica_urls", "HNY_REPLICA_URLS", "replica-urls", "LIST")
        .kind(Kind::List)
        .doc("Streaming replicas of a PostgreSQL database, which look up links")
        .secret(url_with_file("replica_urls_file", "HNY_REPLICA_URLS_FILE", "replica-urls-file")),
    Setting::new("redis_url", "HNY_REDIS_URL", "redis-url", "URL")
        .doc("What nodes share: a second-level cache (with PostgreSQL), limits, messages. `redis://[[user]:password@]host[:port][/number]`, `rediss:` for TLS; docs/scaling.md has more")
        .secret(url_with_file("redis_url_file", "HNY_REDIS_URL_FILE", "redis-url-file")),
    Setting::new("redis_prefix", "HNY_REDIS_PREFIX", "redis-prefix", "TEXT")
        .default("hny:")
        .doc("What the names of all keys and channels begin with; another one for each installation on the same Redis"),
    Setting::new("cache_bytes", "HNY_CACHE_BYTES", "cache-bytes", "SIZE")
        .default("256MiB")
        .doc("How much memory the links kept at hand may take"),
];

const LINKS: &[Setting] = &[
    Setting::new("redirect_status", "HNY_REDIRECT_STATUS", "redirect-status", "STATUS")
        .kind(Kind::Number)
        .default("302")
        .doc("The status of redirects whose link does not say: `301`, `302`, `307` or `308`"),
    Setting::new("forward_query", "HNY_FORWARD_QUERY", "forward-query", "BOOL")
        .kind(Kind::Boolean)
        .default("true")
        .doc("Whether the visitor's query is handed on to the target, for links that do not say"),
    Setting::new("codes", "HNY_CODES", "codes", "KIND")
        .default("random")
        .doc("How codes are made: `random`, `permuted`, `counter`, `snowflake` or `hash`; docs/codes.md says which to choose"),
    Setting::new("code_length", "HNY_CODE_LENGTH", "code-length", "N")
        .kind(Kind::Number)
        .default("7")
        .doc("How many characters a generated code has, 4 to 32; snowflake codes have 11"),
    Setting::new("code_alphabet", "HNY_CODE_ALPHABET", "code-alphabet", "NAME")
        .default("base62")
        .doc("The characters of a generated code: `base62`, or `unambiguous`, which leaves out 0 O 1 l I"),
    Setting::new("code_key", "HNY_CODE_KEY", "code-key", "SECRET")
        .doc("Secret of 32 or more characters for permuted and snowflake codes")
        .secret(Secrecy::Whole(Names { key: "code_key_file", env: "HNY_CODE_KEY_FILE", flag: "code-key-file" })),
    Setting::new("unlucky_words", "HNY_UNLUCKY_WORDS", "unlucky-words", "LIST")
        .kind(Kind::List)
        .default("default")
        .doc("Words that no generated code shows: `default` is the list that comes with hny, `none` empties it"),
    Setting::new("datacenter_id", "HNY_DATACENTER_ID", "datacenter-id", "N")
        .kind(Kind::Number)
        .found("leased from the database")
        .doc("0 to 31, for the ids of links; a node that is taken is refused"),
    Setting::new("worker_id", "HNY_WORKER_ID", "worker-id", "N")
        .kind(Kind::Number)
        .found("leased from the database")
        .doc("0 to 31, likewise"),
];

const ACCESS: &[Setting] = &[
    Setting::new("create", "HNY_CREATE", "create", "WHO")
        .default("open")
        .doc("Who may make links: `open` is anyone, `key` only who has an API key"),
    Setting::new("create_limit", "HNY_CREATE_LIMIT", "create-limit", "N/TIME")
        .default("10/60s")
        .doc("Links that a client without a key may make, per IPv4 address or IPv6 /64, in any stretch of that time; `off` is no limit"),
    Setting::new("unknown_limit", "HNY_UNKNOWN_LIMIT", "unknown-limit", "N/TIME")
        .default("100/60s")
        .doc("Distinct unknown codes that a client may ask for before it is slowed; `off` is no limit"),
    Setting::new("password_limit", "HNY_PASSWORD_LIMIT", "password-limit", "N/TIME")
        .default("10/5m")
        .doc("Wrong passwords of links that a client may try; `off` is no limit"),
    Setting::new("link_password_limit", "HNY_LINK_PASSWORD_LIMIT", "link-password-limit", "N/TIME")
        .default("100/1h")
        .doc("Wrong passwords that may be tried at a link, by all clients together; then nobody can open it by its password, only by a token; `off` is no limit"),
    Setting::new("report_limit", "HNY_REPORT_LIMIT", "report-limit", "N/TIME")
        .default("10/1h")
        .doc("Reports of abuse that a client may send; `off` is no limit"),
    Setting::new("trusted_proxies", "HNY_TRUSTED_PROXIES", "trusted-proxies", "LIST")
        .kind(Kind::List)
        .doc("Networks (CIDR) whose `X-Forwarded-For` is believed; without it every visitor behind a proxy is one client"),
    Setting::new("visit_id_field", "HNY_VISIT_ID_FIELD", "visit-id-field", "NAME")
        .doc("The field in which trusted proxies give each visit an id of its own, the same when they send it again (`X-Request-Id`): then a visit takes one click of a link with `maxClicks` in all. They must set it themselves, whatever the visitor sent"),
    Setting::new("cors_origins", "HNY_CORS_ORIGINS", "cors-origins", "LIST")
        .kind(Kind::List)
        .doc("Origins whose pages may call the API from a browser (CORS), as `https://app.example`, or `*` for all; short links and pages are never theirs"),
    Setting::new("blocklists", "HNY_BLOCKLISTS", "blocklists", "LIST")
        .kind(Kind::List)
        .doc("Files of domains and URLs that links may not lead to: hosts files, plain lists, or CSV with its column (`urls.csv#url`); read again when they change, docs/blocking.md has more"),
    Setting::new("private_targets", "HNY_PRIVATE_TARGETS", "private-targets", "WHAT")
        .default("allow")
        .doc("Links to private addresses and local names: `allow` or `refuse`"),
    Setting::new("safe_browsing", "HNY_SAFE_BROWSING", "safe-browsing", "SERVICE")
        .default("none")
        .doc("Who is asked whether a page is harmful: `none`, `safebrowsing` (Google, for what earns no money) or `webrisk` (its paid sister); docs/blocking.md says what they are told"),
    Setting::new("safe_browsing_key", "HNY_SAFE_BROWSING_KEY", "safe-browsing-key", "SECRET")
        .doc("The API key for it")
        .secret(Secrecy::Whole(Names {
            key: "safe_browsing_key_file",
            env: "HNY_SAFE_BROWSING_KEY_FILE",
            flag: "safe-browsing-key-file",
        })),
    Setting::new("safe_browsing_url", "HNY_SAFE_BROWSING_URL", "safe-browsing-url", "URL")
        .found("Google's address")
        .doc("Where the service is, if there is a relay before it"),
];

const CLICKS: &[Setting] = &[
    Setting::new("clicks_url", "HNY_CLICKS_URL", "clicks-url", "URL")
        .default("store:")
        .doc("Where clicks go: `store:` keeps them beside the links, `kafka://host:port/topic` hands them over to Kafka (needs the feature `kafka`), `discard:` records none")
        .secret(url_with_file("clicks_url_file", "HNY_CLICKS_URL_FILE", "clicks-url-file")),
    Setting::new("clickhouse_url", "HNY_CLICKHOUSE_URL", "clickhouse-url", "URL")
        .doc("Where `ship-clicks` brings clicks, and where statistics are read from: `http://user:password@host:8123/database`, `https:` for TLS (needs the feature `clickhouse`)")
        .secret(url_with_file("clickhouse_url_file", "HNY_CLICKHOUSE_URL_FILE", "clickhouse-url-file")),
    Setting::new("spool_dir", "HNY_SPOOL_DIR", "spool-dir", "DIR")
        .found("beside the SQLite file, else `./hny-spool`")
        .doc("Where clicks wait until they are counted: a folder on a local disk, which may be shared by processes on this machine"),
    Setting::new("spool_limit", "HNY_SPOOL_LIMIT", "spool-limit", "SIZE")
        .default("1GiB")
        .doc("How much disk the waiting clicks of a process may take, 1MiB or more; beyond that the oldest are lost"),
    Setting::new("click_fields", "HNY_CLICK_FIELDS", "click-fields", "LIST")
        .kind(Kind::List)
        .default("visitor,country,referrer,browser,os,device,language")
        .doc("What is kept of who clicks; what is not named is never written. `none` keeps nothing of it"),
    Setting::new("countries", "HNY_COUNTRIES", "countries", "FILE")
        .found("a table that comes with hny")
        .doc("A MaxMind database (.mmdb) that tells countries; read at the start"),
    Setting::new("keep_clicks", "HNY_KEEP_CLICKS", "keep-clicks", "TIME")
        .default("5y")
        .doc("How long clicks are kept and counted, in days (`400d`) or years (`5y`), or `forever`"),
    Setting::new("keep_expired", "HNY_KEEP_EXPIRED", "keep-expired", "TIME")
        .default("5y")
        .doc("How long an expired link is kept before it is deleted, likewise"),
];

const OBSERVATION: &[Setting] = &[
    Setting::new("metrics_listen", "HNY_METRICS_LISTEN", "metrics-listen", "IP:PORT")
        .doc("Separate address for `/metrics` (Prometheus)"),
    Setting::new("log", "HNY_LOG", "log", "FILTER").default("info").doc(
        "What is logged: `off`, `error`, `warn`, `info`, `debug` or `trace`, also by part, as in `hny=debug,warn`",
    ),
    Setting::new("log_format", "HNY_LOG_FORMAT", "log-format", "FORMAT")
        .default("text")
        .doc("The form of the log: `text` or `json`"),
];
