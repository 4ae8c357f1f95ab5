use std::ffi::OsString;
use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::path::Path;
use std::time::Duration;

use hny_clicks::Kept;
use hny_codes::{Alphabet, Scheme};
use hny_domain::{Defaults, RedirectStatus};
use hny_guard::{Limit, PrivateTargets, TrustedProxies};
use hny_server::Origins;
use hny_server::{Role, Roles};
use hny_service::CreatePolicy;
use hny_store::NodeWish;
use tempfile::TempDir;
use tracing_subscriber::filter::{LevelFilter, Targets};

use super::setting::{Secrecy, Setting};
use super::*;

mod codes;
mod roles;
mod secrets;

/// What is written where, in a folder of its own.
struct Given {
    folder: TempDir,
    flags: Flags,
    environment: Vec<(OsString, OsString)>,
}

impl Given {
    fn nothing() -> Self {
        Self { folder: TempDir::new().unwrap(), flags: Flags::default(), environment: Vec::new() }
    }

    fn flag(mut self, key: &'static str, text: &str) -> Self {
        self.flags.values.insert(key, text.to_owned());
        self
    }

    fn env(mut self, name: &str, text: impl Into<OsString>) -> Self {
        self.environment.push((name.into(), text.into()));
        self
    }

    /// Writes a file into the folder; `hny.toml` is the one that is found without being named.
    fn file(self, name: &str, text: &str) -> Self {
        std::fs::write(self.folder.path().join(name), text).unwrap();
        self
    }

    /// A variable that names a file of the folder.
    fn env_path(self, name: &str, file: &str) -> Self {
        let path = self.folder.path().join(file);
        self.env(name, path)
    }

    fn written(&self) -> Written {
        Written::gather(Sources {
            flags: self.flags.clone(),
            environment: self.environment.clone(),
            default_file: self.folder.path().join("hny.toml"),
        })
    }

    fn config(&self) -> Config {
        Config::check(&self.written()).unwrap()
    }

    /// What is wrong, as `name: detail`, with the folder left out.
    fn problems(&self) -> Vec<String> {
        let folder = format!("{}/", self.folder.path().display());
        let problems = Config::check(&self.written()).map_or_else(|problems| problems.0, |_| Vec::new());
        problems.iter().map(|problem| problem.to_string().replace(&folder, "")).collect()
    }

    fn shown(&self) -> String {
        let shown = Shown::of(&self.written());
        format!("{shown}{}", serde_json::to_string(&shown).unwrap())
    }
}

#[test]
fn nothing_written_gives_the_defaults() {
    let Config {
        http,
        store,
        redis,
        links,
        access,
        blocking,
        codes,
        clicks,
        clickhouse,
        spool,
        visitors,
        retention,
        log,
    } = Given::nothing().config();
    assert_eq!(clickhouse, ClickHouse(None));
    assert_eq!(http.listen, SocketAddr::from(([127, 0, 0, 1], 8080)));
    assert_eq!((http.base_url, http.metrics_listen), (BaseUrl::OfListen, None));
    assert_eq!((http.roles, http.domains), (Roles::all(), Vec::new()));
    assert_eq!(http.security_contacts, [""; 0]);
    assert_eq!(http.threads, std::thread::available_parallelism().unwrap());
    assert_eq!(http.max_connections.get(), 10_000);
    assert_eq!((http.read_timeout, http.idle_timeout), (Duration::from_secs(10), Duration::from_secs(75)));
    assert_eq!((http.drain_delay, http.drain_timeout), (Duration::ZERO, Duration::from_secs(30)));
    assert_eq!(
        store,
        Store { database: Database::Sqlite("hny.db".into()), replicas: Vec::new(), cache_bytes: 256 * 1024 * 1024 }
    );
    assert_eq!((redis.address, redis.prefix.to_string()), (None, "hny:".to_owned()));
    let defaults = Defaults { redirect_status: RedirectStatus::Found, forward_query: true };
    assert_eq!(links, Links { defaults, create: CreatePolicy::Open });
    let limit = |count| Some(Limit { count, window: Duration::from_mins(1) });
    assert_eq!((access.create_limit, access.unknown_limit), (limit(10), limit(100)));
    assert_eq!((&access.trusted_proxies, &access.origins), (&TrustedProxies::default(), &Origins::Own));
    let in_time = |count, minutes| Some(Limit { count, window: Duration::from_mins(minutes) });
    assert_eq!((access.password_limit, access.link_password_limit), (in_time(10, 5), in_time(100, 60)));
    assert_eq!(access.report_limit, in_time(10, 60));
    assert_eq!(blocking, Blocking { files: Vec::new(), private_targets: PrivateTargets::Allowed, safe_browsing: None });
    assert_eq!((codes.scheme, codes.length, codes.alphabet), (Scheme::Random, 7, Alphabet::Base62));
    assert_eq!((codes.key, codes.node), (None, NodeWish::default()));
    assert!(codes.unlucky.with_default && codes.unlucky.own.is_empty());
    assert_eq!(clickhouse, ClickHouse(None));
    assert_eq!((clicks, spool), (Clicks::Store, Spool { folder: "hny.db-spool".into(), limit: 1 << 30 }));
    assert_eq!(visitors, Visitors { kept: Kept::ALL, countries: None });
    let five_years = Some(Duration::from_hours(24 * 5 * 365));
    assert_eq!(retention, Retention { clicks: five_years, expired: five_years });
    let filter = Targets::new().with_default(LevelFilter::INFO);
    assert_eq!(log, Log { filter, format: LogFormat::Text, no_color: false });
}

#[test]
fn flags_beat_environment_beats_file() {
    let file = "threads = 3\ncode_length = 10\ncreate = \"key\"\n";
    let given = Given::nothing().file("hny.toml", file).env("HNY_THREADS", "2").env("HNY_CODE_LENGTH", "9");
    let config = given.flag("threads", "1").config();
    assert_eq!(config.http.threads, NonZeroUsize::MIN);
    assert_eq!((config.codes.length, config.links.create), (9, CreatePolicy::Key));
}

#[test]
fn a_value_that_is_beaten_is_not_looked_at() {
    let given = Given::nothing().file("hny.toml", "threads = \"no\"").env("HNY_THREADS", "no").flag("threads", "2");
    assert_eq!(given.problems(), [""; 0]);
}

#[test]
fn empty_is_unset() {
    let given = Given::nothing().flag("code_length", "").env("HNY_CODE_LENGTH", "").env("HNY_NO_SUCH", "");
    let given = given.env("HNY_CONFIG", "").env("HNY_REDIS_URL", "").env("HNY_DATABASE_URL_FILE", "");
    let config = given.file("hny.toml", "code_length = 12\nlog = \"\"\nreplica_urls = []").config();
    assert_eq!((config.codes.length, config.log.format), (12, LogFormat::Text));
}

#[test]
fn all_problems_come_at_once_under_the_names_their_authors_used() {
    let given = Given::nothing()
        .flag("listen", "localhost:8080")
        .flag("metrics_listen", "9090")
        .env("HNY_THREADS", "0")
        .env("HNY_FORWARD_QUERY", "yes")
        .env("HNY_COLOUR", "red")
        .file("hny.toml", "redirect_status = 303\nread_timeout = \"0s\"\ncodes = \"words\"\n[http]\nport = 1\n");
    assert_eq!(
        given.problems(),
        [
            "HNY_COLOUR: is not a setting; 'hny config example' lists them all",
            "hny.toml:http: is not a setting; 'hny config example' lists them all",
            "--listen: must be an IP address and a port, such as 127.0.0.1:8080, 0.0.0.0:80 or [::1]:8080; \
             it is \"localhost:8080\"",
            "--metrics-listen: must be an IP address and a port, such as 127.0.0.1:8080, 0.0.0.0:80 or [::1]:8080; \
             it is \"9090\"",
            "HNY_THREADS: must be a whole number from 1 to 1024; it is \"0\"",
            "hny.toml:read_timeout: must be more than 0, such as 10s; it is \"0s\"",
            "hny.toml:redirect_status: must be 301, 302, 307 or 308; it is \"303\"",
            "HNY_FORWARD_QUERY: must be true or false; it is \"yes\"",
            "hny.toml:codes: must be random, permuted, counter, snowflake or hash; it is \"words\"",
        ]
    );
}

#[test]
fn problems_are_counted_for_people() {
    let one = Given::nothing().env("HNY_THREADS", "0");
    let two = Given::nothing().env("HNY_THREADS", "0").env("HNY_CREATE", "ask");
    for (given, head) in [(one, "The settings have a problem:\n"), (two, "The settings have 2 problems:\n")] {
        let text = Config::check(&given.written()).unwrap_err().to_string();
        assert!(text.starts_with(head), "{text}");
    }
}

#[test]
fn an_unknown_name_hears_of_the_nearest() {
    let given = Given::nothing()
        .env("HNY_BASEURL", "https://hny.example")
        .env("HNY_LISTN", "1")
        .env("HNY_CONFIGS", "1")
        .file("hny.toml", "base-url = \"\"\nHNY_CREATE = 1\nredis = 1\ndatabase_url_fle = 1");
    assert_eq!(
        given.problems(),
        [
            "HNY_BASEURL: is not a setting; did you mean HNY_BASE_URL?",
            "HNY_LISTN: is not a setting; did you mean HNY_LISTEN?",
            "HNY_CONFIGS: is not a setting; did you mean HNY_CONFIG?",
            "hny.toml:HNY_CREATE: is not a setting; did you mean create?",
            "hny.toml:base-url: is not a setting; did you mean base_url?",
            "hny.toml:database_url_fle: is not a setting; did you mean database_url_file?",
            "hny.toml:redis: is not a setting; did you mean redis_url?",
        ]
    );
}

#[test]
fn what_kubernetes_sets_by_itself_is_not_ours() {
    let given = Given::nothing().env("HNY_PORT", "tcp://10.0.0.1:80").env("HNY_PORT_80_TCP_PORT", "80");
    assert_eq!(given.problems().len(), 2, "without a service it is a mistake");
    let given = given.env("HNY_SERVICE_HOST", "10.0.0.1").env("HNY_SERVICE_PORT", "80");
    assert_eq!(given.problems(), [""; 0]);
}

#[test]
#[cfg(unix)]
fn a_value_that_is_not_text_is_named() {
    use std::os::unix::ffi::OsStringExt;
    let given = Given::nothing().env("HNY_LOG", OsString::from_vec(vec![b'a', 0xff]));
    assert_eq!(given.problems(), ["HNY_LOG: must be UTF-8 text"]);
}

#[test]
fn every_setting_is_read() {
    for setting in settings::all() {
        let problems = Given::nothing().env(setting.names.env, "\u{1}").problems();
        let expected = format!("{}: must be ", setting.names.env);
        assert!(problems.len() == 1 && problems[0].starts_with(&expected), "{}: {problems:?}", setting.names.env);
    }
}

#[test]
fn every_setting_that_was_announced_is_known() {
    let announced = "LISTEN BASE_URL DOMAINS ROLES THREADS SECURITY_CONTACT DATABASE_URL REPLICA_URLS REDIS_URL REDIS_PREFIX CACHE_BYTES CLICKS_URL \
        CLICKHOUSE_URL SPOOL_DIR SPOOL_LIMIT CLICK_FIELDS COUNTRIES KEEP_CLICKS KEEP_EXPIRED CODES CODE_LENGTH CODE_ALPHABET CODE_KEY UNLUCKY_WORDS DATACENTER_ID WORKER_ID \
        TRUSTED_PROXIES VISIT_ID_FIELD CORS_ORIGINS BLOCKLISTS PRIVATE_TARGETS SAFE_BROWSING SAFE_BROWSING_KEY SAFE_BROWSING_KEY_FILE SAFE_BROWSING_URL CREATE CREATE_LIMIT UNKNOWN_LIMIT PASSWORD_LIMIT LINK_PASSWORD_LIMIT REPORT_LIMIT REDIRECT_STATUS FORWARD_QUERY METRICS_LISTEN LOG LOG_FORMAT \
        READ_TIMEOUT IDLE_TIMEOUT DRAIN_DELAY DRAIN_TIMEOUT MAX_CONNECTIONS DATABASE_URL_FILE REPLICA_URLS_FILE \
        REDIS_URL_FILE CLICKS_URL_FILE CLICKHOUSE_URL_FILE CODE_KEY_FILE";
    let mut announced: Vec<String> = announced.split_whitespace().map(|name| format!("HNY_{name}")).collect();
    let mut known: Vec<&str> = settings::all().flat_map(Setting::all_names).map(|names| names.env).collect();
    announced.sort();
    known.sort_unstable();
    assert_eq!(known, announced);
}

#[test]
fn names_and_descriptions_follow_one_pattern() {
    for setting in settings::all() {
        for names in setting.all_names() {
            assert_eq!(names.env, format!("HNY_{}", names.key.to_uppercase()));
            assert_eq!(names.flag, names.key.replace('_', "-"));
        }
        let starts_well = setting.doc.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit());
        assert!(starts_well && !setting.doc.ends_with('.'), "{}", setting.doc);
        if let Some(twin) = setting.twin() {
            assert_eq!(twin.key, format!("{}_file", setting.names.key));
        }
    }
}

#[test]
fn a_file_is_read_if_it_is_there_and_must_be_if_it_is_named() {
    let given = Given::nothing().file("hny.toml", "threads = 1").file("other.toml", "threads = 2");
    assert_eq!(given.config().http.threads.get(), 1);
    let mut given = given.env_path("HNY_CONFIG", "other.toml");
    assert_eq!(given.config().http.threads.get(), 2);
    given.flags.config = Some(given.folder.path().join("hny.toml"));
    assert_eq!(given.config().http.threads.get(), 1);
    given.flags.config = Some(given.folder.path().join("none.toml"));
    assert!(given.problems()[0].starts_with("--config: the file none.toml cannot be read: No such file"));
    let problems = Given::nothing().env_path("HNY_CONFIG", "none.toml").problems();
    assert!(problems[0].starts_with("HNY_CONFIG: the file none.toml cannot be read"), "{problems:?}");
}

#[test]
fn toml_values_may_be_written_as_what_they_are() {
    let text = "cache_bytes = 1_000_000\nforward_query = false\nroles = [\"redirect\", \"api\", \"pages\"]";
    let config = Given::nothing().file("hny.toml", text).config();
    assert_eq!((config.store.cache_bytes, config.links.defaults.forward_query), (1_000_000, false));
    let text = "forward_query = 1\nthreads = 1.5\nroles = [1]\nlisten = [\"127.0.0.1:1\"]\nlog = { level = \"info\" }";
    assert_eq!(
        Given::nothing().file("hny.toml", text).problems(),
        [
            "hny.toml:listen: must be one text in quotes",
            "hny.toml:log: must be one text in quotes",
            "hny.toml:roles: must be a list of texts, such as [\"a\", \"b\"]",
            "hny.toml:threads: must be one text in quotes",
            "hny.toml:forward_query: must be true or false; it is \"1\"",
        ]
    );
}

#[test]
fn a_file_that_is_not_toml_is_refused_with_its_line() {
    let problems = Given::nothing().file("hny.toml", "threads = 1\nlisten = 127.0.0.1:8080\n").problems();
    assert!(problems.len() == 1 && problems[0].starts_with("hny.toml:2: this is not TOML: "), "{problems:?}");
}

#[test]
fn what_is_shown_has_its_origin() {
    let given = Given::nothing()
        .flag("threads", "4")
        .env("HNY_REDIS_URL", "redis://:pw@cache")
        .file("hny.toml", "create = \"key\"");
    let shown = serde_json::to_value(Shown::of(&given.written())).unwrap();
    let of_key = |key: &str| {
        let settings = shown["settings"].as_array().unwrap();
        settings.iter().find(|setting| setting["key"] == key).unwrap().to_string().replace(&path(&given.folder), "")
    };
    assert_eq!(of_key("threads"), r#"{"key":"threads","name":"--threads","origin":"flag","value":"4"}"#);
    assert_eq!(
        of_key("redis_url"),
        r#"{"key":"redis_url","name":"HNY_REDIS_URL","origin":"environment","value":"redis://:***@cache"}"#
    );
    assert_eq!(of_key("create"), r#"{"key":"create","name":"hny.toml:create","origin":"file","value":"key"}"#);
    assert_eq!(of_key("log"), r#"{"key":"log","name":null,"origin":"default","value":"info"}"#);
    assert_eq!(of_key("base_url"), r#"{"key":"base_url","name":null,"origin":"default","value":null}"#);
}

fn path(folder: &TempDir) -> String {
    format!("{}/", Path::display(folder.path()))
}

#[test]
fn the_example_uncommented_is_the_defaults() {
    let example = Example.to_string();
    let text: String = example
        .lines()
        .map(|line| line.strip_prefix('#').filter(|rest| !rest.starts_with(' ')).unwrap_or(line))
        .flat_map(|line| [line, "\n"])
        .collect();
    let table: toml::Table = text.parse().unwrap();
    assert_eq!(table.len(), settings::all().count());
    assert_eq!(Given::nothing().file("hny.toml", &text).config(), Given::nothing().config());
    assert_eq!(Given::nothing().file("hny.toml", &example).config(), Given::nothing().config());
}

#[test]
fn metrics_need_an_address_of_their_own() {
    let given = Given::nothing().flag("listen", "127.0.0.1:80").env("HNY_METRICS_LISTEN", "127.0.0.1:80");
    assert_eq!(given.problems(), ["HNY_METRICS_LISTEN: must be another address than listen; it is \"127.0.0.1:80\""]);
    let free = Given::nothing().flag("listen", "127.0.0.1:0").env("HNY_METRICS_LISTEN", "127.0.0.1:0");
    assert_eq!(free.problems(), [""; 0]);
}

#[test]
fn no_color_is_on_when_it_has_a_value() {
    assert!(Given::nothing().env("NO_COLOR", "1").config().log.no_color);
    assert!(!Given::nothing().env("NO_COLOR", "").config().log.no_color);
}
