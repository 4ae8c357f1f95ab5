//! The address of a PostgreSQL database.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use thiserror::Error;
use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode};

/// How long one host may take to answer a new connection, where the URL does not say (`connect_timeout`, in seconds).
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);

/// How long what was sent may stay unconfirmed by the other side's system before a connection counts as dead, where the URL
/// does not say (`tcp_user_timeout`).
const UNCONFIRMED_TIMEOUT: Duration = Duration::from_secs(5);

/// A checked `postgres://…` or `postgresql://…`. It has a password in it, perhaps, and so shows only hosts and database.
///
/// Its parameters are those of libpq as far as `tokio_postgres` knows them, `target_session_attrs=read-write` with several hosts
/// among them, and for TLS `sslmode` and `sslrootcert`, which mean what they mean to libpq: see [`TlsMode`].
#[derive(Clone, PartialEq, Eq)]
pub struct PostgresUrl {
    pub(crate) config: Box<Config>,
    pub(crate) tls: TlsMode,
    pub(crate) root_certificates: Option<PathBuf>,
}

/// How a connection is protected, by the value of `sslmode`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TlsMode {
    /// `disable`: not at all.
    Disable,
    /// `prefer`, as when nothing is said: encrypted if the server can, without asking who it is.
    #[default]
    Prefer,
    /// `require`: encrypted, without asking who the server is; with `sslrootcert` as `verify-ca`.
    Require,
    /// `verify-ca`: encrypted, and the server's certificate comes from a known authority.
    VerifyAuthority,
    /// `verify-full`: besides, the certificate is for the host of the URL.
    VerifyFull,
}

/// Why a text does not name a PostgreSQL database. No message repeats the text: it may have a password in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum PostgresUrlError {
    /// Another kind of URL, or none.
    #[error("must be a URL such as postgres://user:password@host:5432/database")]
    Scheme,
    /// It cannot be read.
    #[error(
        "is not a PostgreSQL URL such as postgres://user:password@host:5432/database; percent-encode what is special in user and password"
    )]
    Malformed,
    /// Nobody to connect to.
    #[error("must name a host, as in postgres://user:password@host:5432/database")]
    NoHost,
    /// A way to protect connections that is none.
    #[error("sslmode must be disable, prefer, require, verify-ca or verify-full")]
    TlsMode,
}

impl PostgresUrl {
    /// Whether a text says that it is one.
    pub fn is_meant_by(text: &str) -> bool {
        text.starts_with("postgres://") || text.starts_with("postgresql://")
    }

    /// Reads a URL. Nobody is connected to.
    pub fn parse(text: &str) -> Result<Self, PostgresUrlError> {
        if !Self::is_meant_by(text) {
            return Err(PostgresUrlError::Scheme);
        }
        let (address, parameters) = split(text);
        let (mut tls, mut root_certificates, mut others) = (TlsMode::default(), None, Vec::new());
        for parameter in parameters.split('&').filter(|parameter| !parameter.is_empty()) {
            match parameter.split_once('=') {
                Some(("sslmode", mode)) => tls = TlsMode::parse(mode)?,
                Some(("sslrootcert", path)) => root_certificates = Some(decode(path)?.into()),
                _ => others.push(parameter),
            }
        }
        let text = format!("{address}?{}", others.join("&"));
        let mut config: Config = text.parse().map_err(|_| PostgresUrlError::Malformed)?;
        if config.get_hosts().is_empty() {
            return Err(PostgresUrlError::NoHost);
        }
        tls.apply_to(&mut config);
        set_limits(&mut config);
        Ok(Self { config: Box::new(config), tls, root_certificates })
    }
}

/// What stands before the parameters, and they. A `?` in a password does not begin them.
fn split(text: &str) -> (&str, &str) {
    let after_password = text.find('@').map_or(0, |at| at + 1);
    match text[after_password..].find('?') {
        Some(at) => (&text[..after_password + at], &text[after_password + at + 1..]),
        None => (text, ""),
    }
}

fn decode(text: &str) -> Result<String, PostgresUrlError> {
    let decoded = percent_encoding::percent_decode_str(text).decode_utf8();
    decoded.map(Into::into).map_err(|_| PostgresUrlError::Malformed)
}

fn set_limits(config: &mut Config) {
    if config.get_connect_timeout().is_none() {
        config.connect_timeout(CONNECT_TIMEOUT);
    }
    if config.get_tcp_user_timeout().is_none() {
        config.tcp_user_timeout(UNCONFIRMED_TIMEOUT);
    }
    if config.get_application_name().is_none() {
        config.application_name("hny");
    }
}

impl TlsMode {
    fn parse(text: &str) -> Result<Self, PostgresUrlError> {
        match text {
            "disable" => Ok(Self::Disable),
            "prefer" => Ok(Self::Prefer),
            "require" => Ok(Self::Require),
            "verify-ca" => Ok(Self::VerifyAuthority),
            "verify-full" => Ok(Self::VerifyFull),
            _ => Err(PostgresUrlError::TlsMode),
        }
    }

    fn apply_to(self, config: &mut Config) {
        config.ssl_mode(match self {
            Self::Disable => SslMode::Disable,
            Self::Prefer => SslMode::Prefer,
            Self::Require | Self::VerifyAuthority | Self::VerifyFull => SslMode::Require,
        });
    }
}

impl fmt::Display for PostgresUrl {
    /// The hosts and the database, without user, password and parameters.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ports = self.config.get_ports();
        for (number, host) in self.config.get_hosts().iter().enumerate() {
            let port = ports.get(number).or(ports.first()).copied().unwrap_or(5432);
            let comma = if number == 0 { "" } else { "," };
            match host {
                Host::Tcp(name) => write!(f, "{comma}{name}:{port}")?,
                Host::Unix(path) => write!(f, "{comma}{}:{port}", path.display())?,
            }
        }
        write!(f, "/{}", self.config.get_dbname().unwrap_or_default())
    }
}

impl fmt::Debug for PostgresUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PostgresUrl({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> PostgresUrl {
        PostgresUrl::parse(text).unwrap()
    }

    #[test]
    fn hosts_and_database_are_shown_and_nothing_else() {
        for (text, shown) in [
            ("postgres://hny:secret@db/links", "db:5432/links"),
            (
                "postgresql://hny:secret@db1:5433,db2:5434/links?target_session_attrs=read-write",
                "db1:5433,db2:5434/links",
            ),
            ("postgres://hny:s%3Fe?c&r=e#t@db/links?sslmode=disable", "db:5432/links"),
            ("postgres://hny@%2Frun%2Fpostgresql/links?password=secret", "/run/postgresql:5432/links"),
        ] {
            let url = parse(text);
            assert_eq!(
                (url.to_string().as_str(), format!("{url:?}")),
                (shown, format!("PostgresUrl({shown})")),
                "{text}"
            );
        }
    }

    #[test]
    fn sslmode_means_what_it_means_to_libpq() {
        for (text, mode, asked) in [
            ("postgres://db/x", TlsMode::Prefer, SslMode::Prefer),
            ("postgres://db/x?sslmode=disable", TlsMode::Disable, SslMode::Disable),
            ("postgres://db/x?sslmode=require&application_name=a", TlsMode::Require, SslMode::Require),
            ("postgres://db/x?application_name=a&sslmode=verify-ca", TlsMode::VerifyAuthority, SslMode::Require),
            ("postgres://u:p?sslmode=disable@db/x?sslmode=verify-full", TlsMode::VerifyFull, SslMode::Require),
        ] {
            let url = parse(text);
            assert_eq!((url.tls, url.config.get_ssl_mode()), (mode, asked), "{text}");
        }
        let url = parse("postgres://db/x?sslmode=verify-full&sslrootcert=%2Fetc%2Froot.pem");
        assert_eq!(url.root_certificates, Some("/etc/root.pem".into()));
    }

    #[test]
    fn what_names_no_database_is_refused_without_being_repeated() {
        for (text, error) in [
            ("mysql://secret@db/x", PostgresUrlError::Scheme),
            ("host=db password=secret", PostgresUrlError::Scheme),
            ("postgres:///x", PostgresUrlError::NoHost),
            ("postgres://secret@db:port/x", PostgresUrlError::Malformed),
            ("postgres://db/x?secret=1", PostgresUrlError::Malformed),
            ("postgres://db/x?sslmode=allow", PostgresUrlError::TlsMode),
            ("postgres://db/x?sslmode=secret", PostgresUrlError::TlsMode),
        ] {
            let refused = PostgresUrl::parse(text).unwrap_err();
            assert_eq!(refused, error, "{text}");
            assert!(!refused.to_string().contains("secret"), "{refused}");
        }
    }

    #[test]
    fn every_wait_has_an_end() {
        let limits = |text| {
            let config = parse(text).config;
            (config.get_connect_timeout().copied(), config.get_tcp_user_timeout().copied())
        };
        assert_eq!(limits("postgres://db/x"), (Some(CONNECT_TIMEOUT), Some(UNCONFIRMED_TIMEOUT)));
        assert_eq!(limits("postgres://db/x?connect_timeout=7").0, Some(Duration::from_secs(7)));
    }
}
