//! What of a value may be shown.

use super::setting::{Kind, Secrecy, Setting};

/// What stands for a secret.
const HIDDEN: &str = "***";

/// The value of a setting, fit to be shown.
pub(super) fn redact(setting: &Setting, text: &str) -> String {
    match (setting.secrecy, setting.kind) {
        (Secrecy::Open, _) => text.to_owned(),
        (Secrecy::Whole(_), _) => HIDDEN.to_owned(),
        (Secrecy::Url(_), Kind::List) => redact_list(text),
        (Secrecy::Url(_), _) => redact_url(text),
    }
}

/// Hides the passwords in a list of URLs.
fn redact_list(text: &str) -> String {
    let has_password = text.contains(['@', '?', '#']);
    let urls = text.split(',').map(|url| {
        // Without an `@` it may be the rest of a password with a comma in it.
        let is_rest = has_password && !url.contains('@');
        if is_rest { HIDDEN.to_owned() } else { redact_url(url) }
    });
    urls.collect::<Vec<_>>().join(",")
}

/// Hides the password in a URL. The text may be anything, and where it is not certain what is what, more is hidden.
fn redact_url(text: &str) -> String {
    if is_local(text) {
        return text.to_owned();
    }
    let Some((scheme, rest)) = text.split_once("://").filter(|(scheme, _)| is_plain(scheme)) else {
        return HIDDEN.to_owned();
    };
    // The last one, since a password may have one too.
    let (user, rest) = match rest.rsplit_once('@') {
        Some((user, rest)) => (redact_user(user), rest),
        None => (String::new(), rest),
    };
    let (rest, tail) = match rest.find(['?', '#']) {
        Some(at) => (&rest[..at], format!("{}{HIDDEN}", &rest[at..=at])),
        None => (rest, String::new()),
    };
    // Without its host, `redis://me:password` looks like a host and a port.
    let hosts = rest.split('/').next().unwrap_or_default();
    let hosts = if hosts.split(',').all(is_host) { hosts } else { HIDDEN };
    let path = rest.find('/').map_or("", |at| &rest[at..]);
    format!("{scheme}://{user}{hosts}{path}{tail}")
}

/// A path, or no more than a word: there is nobody to log in to.
fn is_local(text: &str) -> bool {
    match text.strip_prefix("sqlite:") {
        Some(path) => !path.starts_with("//") || path.starts_with("///"),
        None => matches!(text, "store:" | "discard:"),
    }
}

/// A name or an address, perhaps with a port.
fn is_host(text: &str) -> bool {
    let (host, port) = match text.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => (host, port),
        _ => (text, "0"),
    };
    let is_address = host.starts_with('[') && host.ends_with(']');
    (is_plain(host) || is_address) && port.parse::<u16>().is_ok()
}

fn redact_user(user: &str) -> String {
    match user.split_once(':') {
        Some((name, _)) if is_plain(name) => format!("{name}:{HIDDEN}@"),
        _ => format!("{HIDDEN}@"),
    }
}

fn is_plain(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '+'))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_url_is_shown_without_its_password() {
        for (text, shown) in [
            ("sqlite:hny.db", "sqlite:hny.db"),
            ("store:", "store:"),
            ("redis://cache:6379/0", "redis://cache:6379/0"),
            ("postgres://hny:pw@db/hny", "postgres://hny:***@db/hny"),
            ("postgres://hny:p@w:1/?#@db/hny", "postgres://hny:***@db/hny"),
            ("postgres://hny:pw@db1,db2/hny", "postgres://hny:***@db1,db2/hny"),
            ("postgres://[::1]:5432/hny", "postgres://[::1]:5432/hny"),
            ("postgres://[::1]/hny", "postgres://[::1]/hny"),
            ("redis://:pw@cache", "redis://:***@cache"),
            ("redis://hny:pw", "redis://***"),
            ("sqlite://hny:pw", "sqlite://***"),
            ("redis://pw@cache", "redis://***@cache"),
            ("postgres://db/hny?password=pw&sslmode=require", "postgres://db/hny?***"),
            ("http://db/?password=p:w@x", "http://***@x"),
            ("host=db password=pw", "***"),
            ("pw", "***"),
            ("pw:", "***"),
        ] {
            assert_eq!(redact_url(text), shown, "{text}");
        }
    }

    #[test]
    fn so_is_a_list_of_them() {
        for (text, shown) in [
            ("postgres://r1/d,postgres://r2/d", "postgres://r1/d,postgres://r2/d"),
            ("postgres://a:pw@r1/d,postgres://b:pw@r2/d", "postgres://a:***@r1/d,postgres://b:***@r2/d"),
            ("postgres://a:12,3@r1/d", "***,***"),
        ] {
            assert_eq!(redact_list(text), shown, "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_password_is_shown(filler in "[\\x20-\\x7e]{0,20}") {
            // A marker in the middle, as a short password may well be part of the rest.
            let password = format!("{filler}SECRET{filler}");
            for text in [
                format!("postgres://hny:{password}@db:5432/hny"),
                format!("http://db:8123/?password={password}"),
                format!("redis://{}@db", password.replace(':', "")),
                password.replace("://", ""),
            ] {
                prop_assert!(!redact_url(&text).contains("SECRET"), "{}", text);
            }
            let list = format!("postgres://r1/d,postgres://hny:{}@r2/d", password.replace(',', ""));
            prop_assert!(!redact_list(&list).contains("SECRET"), "{}", list);
        }
    }
}
