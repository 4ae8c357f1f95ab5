//! Where Kafka is, how to get in, and which topic is meant.

use std::fmt;

use percent_encoding::percent_decode_str;
use thiserror::Error;

/// What the name of the topic of positions has more than that of the clicks.
pub(super) const POSITIONS: &str = "-spools";

/// Where the topic is whose name is longest, with what is put behind it for that of the positions.
const LONGEST_TOPIC: usize = 249 - POSITIONS.len();

/// The port of a host without one.
const PORT: u16 = 9092;

/// Which topic of which Kafka. Shown without its password.
#[derive(Clone, PartialEq, Eq)]
pub struct KafkaAddress {
    pub(super) hosts: String,
    pub(super) login: Option<Login>,
    pub(super) topic: String,
}

/// A user and what proves it.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Login {
    pub(super) user: String,
    pub(super) password: String,
}

/// Why a text is no address. No message repeats the text: it may have a password in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error(
    "must be kafka://host:port/topic, with more hosts behind commas and user:password@ before the first where needed; a topic is up to {LONGEST_TOPIC} letters, digits, '.', '_' and '-'"
)]
pub struct KafkaAddressError;

impl KafkaAddress {
    /// Reads `kafka://[user:password@]host[:port][,host[:port]…]/topic`. Percent escapes in user and password are decoded.
    pub fn parse(text: &str) -> Result<Self, KafkaAddressError> {
        Self::read(text).ok_or(KafkaAddressError)
    }

    fn read(text: &str) -> Option<Self> {
        let rest = text.strip_prefix("kafka://")?;
        let (login, rest) = match rest.rsplit_once('@') {
            Some((login, rest)) => (Some(Login::read(login)?), rest),
            None => (None, rest),
        };
        let (hosts, topic) = rest.split_once('/')?;
        let hosts = hosts.split(',').map(host).collect::<Option<Vec<_>>>()?.join(",");
        is_topic(topic).then(|| Self { hosts, login, topic: topic.to_owned() })
    }
}

impl Login {
    fn read(text: &str) -> Option<Self> {
        let (user, password) = text.split_once(':')?;
        let decoded = |text| percent_decode_str(text).decode_utf8().ok().map(String::from);
        let login = Self { user: decoded(user)?, password: decoded(password)? };
        // The library ends a text there.
        let is_usable = |text: &str| !text.is_empty() && !text.contains('\0');
        (is_usable(&login.user) && is_usable(&login.password)).then_some(login)
    }
}

/// A host with its port.
fn host(text: &str) -> Option<String> {
    let (name, port) = match text.rsplit_once(':') {
        Some((name, port)) if !port.ends_with(']') => (name, port.parse().ok().filter(|port| *port > 0)?),
        _ => (text, PORT),
    };
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    let is_name = !name.is_empty() && name.chars().all(plain);
    let six = name.strip_prefix('[').and_then(|name| name.strip_suffix(']'));
    let is_six = six.is_some_and(|six| six.parse::<std::net::Ipv6Addr>().is_ok());
    (is_name || is_six).then(|| format!("{name}:{port}"))
}

/// Whether Kafka lets a topic be called so, and another with our ending.
fn is_topic(text: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    (1..=LONGEST_TOPIC).contains(&text.len()) && text.bytes().all(plain) && text != "." && text != ".."
}

impl fmt::Debug for KafkaAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KafkaAddress").field("hosts", &self.hosts).field("topic", &self.topic).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_login_and_topic_are_understood() {
        let plain = KafkaAddress::parse("kafka://broker/clicks").unwrap();
        assert_eq!((plain.hosts.as_str(), plain.topic.as_str()), ("broker:9092", "clicks"));
        assert!(plain.login.is_none());
        let full =
            KafkaAddress::parse("kafka://hny:p%40s:/w@a.example:1,[::1]:2,[::1],10.0.0.1/hny.clicks_1-x").unwrap();
        assert_eq!(full.hosts, "a.example:1,[::1]:2,[::1]:9092,10.0.0.1:9092");
        let login = full.login.unwrap();
        assert_eq!(
            (login.user.as_str(), login.password.as_str(), full.topic.as_str()),
            ("hny", "p@s:/w", "hny.clicks_1-x")
        );
    }

    #[test]
    fn anything_else_is_refused() {
        let long = format!("kafka://broker/{}", "t".repeat(LONGEST_TOPIC + 1));
        for text in [
            "",
            "kafka:broker/clicks",
            "kafka://broker",
            "kafka://broker/",
            "kafka:///clicks",
            "kafka://broker/clicks/more",
            "kafka://broker/cl icks",
            "kafka://broker/..",
            "kafka://broker/clicks?acks=1",
            "kafka://broker:0/clicks",
            "kafka://broker:99999/clicks",
            "kafka://broker:/clicks",
            "kafka://a,,b/clicks",
            "kafka://[::1/clicks",
            "kafka://user@broker/clicks",
            "kafka://:pw@broker/clicks",
            "kafka://user:@broker/clicks",
            "kafka://user:p%00w@broker/clicks",
            "KAFKA://broker/clicks",
            &long,
        ] {
            assert_eq!(KafkaAddress::parse(text), Err(KafkaAddressError), "{text:?}");
        }
        assert!(KafkaAddress::parse(&long[..long.len() - 1]).is_ok());
    }

    #[test]
    fn a_password_does_not_slip_into_a_log() {
        let shown = format!("{:?}", KafkaAddress::parse("kafka://hny:secret@broker/clicks").unwrap());
        assert!(shown.contains("broker") && !shown.contains("secret"), "{shown}");
    }
}
