//! Where Redis is, and how to get in.

use std::fmt;

use redis::io::tcp::TcpSettings;
use redis::{ConnectionAddr, ConnectionInfo, IntoConnectionInfo, ProtocolVersion};
use thiserror::Error;
use url::Url;

/// Where Redis is, with user, password, number of the database and TLS. Shown nowhere: it has the password in it.
#[derive(Clone)]
pub struct Address {
    text: String,
    connection: ConnectionInfo,
}

/// Why a text is no address. No message repeats the text: it may have a password in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error(
    "must be redis://host:port, or rediss:// for TLS, with user:password@ before the host and /number of the database after it where needed"
)]
pub struct AddressError;

impl Address {
    /// Reads `redis://[[user]:password@]host[:port][/database]`; `rediss` is TLS, with the certificates that the system trusts.
    /// Percent escapes in user and password are decoded.
    pub fn parse(text: &str) -> Result<Self, AddressError> {
        let url = Url::parse(text).map_err(|_| AddressError)?;
        let is_plain = url.query().is_none() && url.fragment().is_none();
        if !matches!(url.scheme(), "redis" | "rediss") || !is_plain {
            return Err(AddressError);
        }
        let connection = url.into_connection_info().map_err(|_| AddressError)?;
        // Messages come on the same connection as answers, which the older protocol cannot do.
        let redis = connection.redis_settings().clone().set_protocol(ProtocolVersion::RESP3);
        if redis.db() < 0 {
            return Err(AddressError);
        }
        // Questions are small and somebody waits for each.
        let connection =
            connection.set_redis_settings(redis).set_tcp_settings(TcpSettings::default().set_nodelay(true));
        Ok(Self { text: text.to_owned(), connection })
    }

    pub(crate) fn is_encrypted(&self) -> bool {
        matches!(self.connection.addr(), ConnectionAddr::TcpTls { .. })
    }

    pub(crate) fn connection(&self) -> ConnectionInfo {
        self.connection.clone()
    }
}

impl PartialEq for Address {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Address {}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Address(hidden)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn user_password_database_and_tls_are_understood() {
        let read = |text| Address::parse(text).unwrap();
        let plain = read("redis://cache");
        assert_eq!(plain.connection().addr(), &ConnectionAddr::Tcp("cache".to_owned(), 6379));
        assert!(!plain.is_encrypted());
        let full = read("rediss://hny:p%40w@[::1]:7000/3");
        let connection = full.connection();
        let redis = connection.redis_settings();
        assert_eq!((redis.username(), redis.password(), redis.db()), (Some("hny"), Some("p@w"), 3));
        assert!(full.is_encrypted());
        assert_eq!(read("redis://:pw@cache").connection().redis_settings().password(), Some("pw"));
    }

    #[test]
    fn anything_else_is_refused() {
        for text in [
            "",
            "cache:6379",
            "http://cache",
            "redis:",
            "redis://",
            "redis://cache/x",
            "redis://cache/-1",
            "redis://cache?protocol=2",
            "rediss://cache#insecure",
            "redis+unix:///run/redis",
        ] {
            assert_eq!(Address::parse(text), Err(AddressError), "{text:?}");
        }
    }

    #[test]
    fn a_password_does_not_slip_into_a_log() {
        assert_eq!(format!("{:?}", Address::parse("redis://:pw@cache").unwrap()), "Address(hidden)");
    }
}
