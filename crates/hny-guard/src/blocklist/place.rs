//! Where a target leads, as rules see it.

use std::borrow::Cow;

use crate::canonical::{Canonical, is_address};

/// Host, path and query of a target, in the spelling of rules.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Place<'a> {
    pub(super) host: Cow<'a, str>,
    pub(super) path: Cow<'a, str>,
    pub(super) query: Option<Cow<'a, str>>,
}

impl<'a> Place<'a> {
    /// The place of a target. Nearly all are written as rules are, and nothing has to be copied.
    pub(super) fn of(target: &'a str) -> Option<Self> {
        Self::plain(target).or_else(|| {
            let Canonical { host, path, query, .. } = Canonical::of(target.as_bytes())?;
            Some(Self { host: host.into(), path: path.into(), query: query.map(Cow::Owned) })
        })
    }

    /// Of a target that needs no rewriting, as it is a URL that the WHATWG serialiser wrote: lower case, without users, with
    /// IPv4 addresses as such, and with detours left out.
    fn plain(target: &'a str) -> Option<Self> {
        let rest = target.strip_prefix("https://").or_else(|| target.strip_prefix("http://"))?;
        let rest = rest.split_once('#').map_or(rest, |(front, _)| front);
        let (authority, rest) = rest.split_at(rest.find(['/', '?'])?);
        let host = authority.split_once(':').map_or(authority, |(host, _)| host);
        let (path, query) = rest.split_once('?').map_or((rest, None), |(path, query)| (path, Some(query)));
        let is_plain = !target.contains('%')
            && !host.starts_with(['[', '.'])
            && !host.ends_with('.')
            && !host.contains("..")
            && !path.contains("//")
            && path.starts_with('/');
        is_plain.then(|| Self { host: host.into(), path: path.into(), query: query.map(Cow::Borrowed) })
    }

    /// The domains that the host is or is below, the widest first, with at most so many labels. An address is itself only.
    pub(super) fn domains(&self, labels: usize) -> impl Iterator<Item = &str> {
        let host = &*self.host;
        let is_name = !is_address(host);
        let above = host.rmatch_indices('.').filter(move |_| is_name).map(|(at, _)| &host[at + 1..]);
        // A rule has two labels or more.
        let skipped = usize::from(is_name);
        above.chain([host]).skip(skipped).take(if is_name { labels.saturating_sub(1) } else { 1 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_short_way_comes_to_the_same_place() {
        for target in [
            "https://example.com/",
            "http://www.example.com:8080/a/b?c=/d#e?f",
            "https://192.0.2.1/a/",
            "https://example.com/a?",
            "https://xn--bcher-kva.example/?q",
        ] {
            let short = Place::plain(target).expect(target);
            let Canonical { host, path, query, .. } = Canonical::of(target.as_bytes()).unwrap();
            assert_eq!(
                (&*short.host, &*short.path, short.query.as_deref()),
                (&*host, &*path, query.as_deref()),
                "{target}"
            );
        }
        for target in [
            "https://a.example./",
            "https://a.example/%61",
            "https://a.example//b",
            "https://[::1]/",
            "https://a..b.example/",
        ] {
            assert_eq!(Place::plain(target), None, "{target}");
            assert!(Place::of(target).is_some(), "{target}");
        }
    }

    #[test]
    fn domains_begin_below_the_last_label() {
        let domains =
            |target, labels| Place::of(target).unwrap().domains(labels).map(ToOwned::to_owned).collect::<Vec<_>>();
        assert_eq!(domains("https://a.b.c.example/", 9), ["c.example", "b.c.example", "a.b.c.example"]);
        assert_eq!(domains("https://a.b.c.example/", 3), ["c.example", "b.c.example"]);
        assert_eq!(domains("https://a.b.c.example/", 0), Vec::<String>::new());
        assert_eq!(domains("https://127.0.0.1/", 2), ["127.0.0.1"]);
        assert_eq!(domains("https://[2001:db8::1]/", 2), ["[2001:db8::1]"]);
        assert_eq!(domains("https://intranet/", 2), Vec::<String>::new());
    }
}
