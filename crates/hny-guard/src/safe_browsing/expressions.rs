//! What of a URL may be on a list: its host and the domains above it, each with its path and the folders above that.

use sha2::{Digest as _, Sha256};

use crate::canonical::{Canonical, is_address};

/// How many domains are asked about beside the host itself.
const DOMAINS: usize = 4;

/// How many folders, the root among them.
const FOLDERS: usize = 4;

/// The SHA-256 of an expression.
pub(crate) type FullHash = [u8; 32];

/// The hashes of all expressions of a URL: at most 30. None for what names no host.
pub(super) fn of_expressions(url: &str) -> Vec<FullHash> {
    texts(url).iter().map(|text| Sha256::digest(text).into()).collect()
}

/// The hash of a URL as a whole, as it is told.
pub(super) fn of_whole(told: &str) -> FullHash {
    Sha256::digest(told).into()
}

/// All expressions of a URL.
pub(crate) fn texts(url: &str) -> Vec<String> {
    let Some(url) = Canonical::of(url.as_bytes()) else { return Vec::new() };
    let paths = paths(&url);
    hosts(&url.host).into_iter().flat_map(|host| paths.iter().map(move |path| format!("{host}{path}"))).collect()
}

/// The host, and up to four that begin with the domain that somebody could register and have a label more each.
fn hosts(host: &str) -> Vec<&str> {
    let mut hosts = vec![host];
    let registered = if is_address(host) { None } else { psl::domain_str(host) };
    if let Some(registered) = registered {
        let above = host.strip_suffix(registered).unwrap_or_default();
        // The dots before which a shorter name begins, from the last one on.
        let starts = above.rmatch_indices('.').skip(1).map(|(at, _)| at + 1).chain([0]);
        let longer = starts.map(|start| &host[start..]).filter(|name| *name != host);
        let shorter = (registered != host).then_some(registered);
        hosts.extend(shorter.into_iter().chain(longer).take(DOMAINS));
    }
    hosts
}

/// The path with its query, the path, and up to four folders from the root on.
fn paths(url: &Canonical) -> Vec<String> {
    let path = &url.path;
    let query = url.query.as_deref().filter(|query| !query.is_empty());
    let with_query = query.map(|query| format!("{path}?{query}"));
    let folders = path.match_indices('/').map(|(at, _)| path[..=at].to_owned()).take(FOLDERS);
    let mut paths: Vec<String> = with_query.into_iter().chain([path.clone()]).collect();
    paths.extend(folders.filter(|folder| folder != path));
    paths
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn sorted(texts: &[&str]) -> Vec<String> {
        let mut texts: Vec<_> = texts.iter().map(|text| (*text).to_owned()).collect();
        texts.sort();
        texts
    }

    #[test]
    fn the_expressions_that_google_lists() {
        for (url, expected) in [
            ("http://a.b.c/1/2.html?param=1", &["a.b.c/1/2.html?param=1", "a.b.c/1/2.html", "a.b.c/", "a.b.c/1/"][..]),
            ("http://a.b.c.d.e.f.g/1.html", &["a.b.c.d.e.f.g/1.html", "a.b.c.d.e.f.g/"][..]),
            ("http://1.2.3.4/1/", &["1.2.3.4/1/", "1.2.3.4/"][..]),
            ("http://a.b/?", &["a.b/"][..]),
            (
                "http://[2001:470:1:18::114]/a/b",
                &["[2001:470:1:18::114]/a/b", "[2001:470:1:18::114]/a/", "[2001:470:1:18::114]/"][..],
            ),
            ("http://b/", &["b/"][..]),
        ] {
            let mut expected: Vec<_> = expected.to_vec();
            if url.contains("a.b.c/") {
                expected.extend(["b.c/1/2.html?param=1", "b.c/1/2.html", "b.c/", "b.c/1/"]);
            }
            if url.contains("a.b.c.d") {
                expected.extend(["c.d.e.f.g/1.html", "c.d.e.f.g/", "d.e.f.g/1.html", "d.e.f.g/"]);
                expected.extend(["e.f.g/1.html", "e.f.g/", "f.g/1.html", "f.g/"]);
            }
            let mut found = texts(url);
            found.sort();
            assert_eq!(found, sorted(&expected), "{url}");
        }
    }

    #[test]
    fn domains_begin_below_the_public_suffix() {
        let hosts = |host| super::hosts(host).join(" ");
        assert_eq!(hosts("example.co.uk"), "example.co.uk");
        assert_eq!(hosts("a.example.co.uk"), "a.example.co.uk example.co.uk");
        assert_eq!(hosts("a.b.github.io"), "a.b.github.io b.github.io");
        assert_eq!(hosts("co.uk"), "co.uk");
        assert_eq!(
            hosts("a.b.c.d.e.example.com"),
            "a.b.c.d.e.example.com example.com e.example.com d.e.example.com c.d.e.example.com"
        );
    }

    #[test]
    fn there_are_thirty_at_most() {
        let many = texts("http://a.b.c.d.e.f.g.example.com/1/2/3/4/5/6/7.html?q=1");
        assert_eq!(many.len(), 30);
        let different: std::collections::BTreeSet<_> = many.iter().collect();
        assert_eq!(different.len(), 30);
    }

    #[test]
    fn the_hashes_of_published_expressions() {
        let vectors: serde_json::Value =
            serde_json::from_str(include_str!("../../tests/vectors/safe_browsing.json")).unwrap();
        let expected: BTreeMap<String, String> = serde_json::from_value(vectors["sha256"].clone()).unwrap();
        let hex = |hash: &FullHash| hash.iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}"));
        let mut found = BTreeMap::new();
        for url in ["http://a.b.c.d.e.f.g/1.html", "http://1.2.3.4/1/", "http://a.b.c/1/2.html?param=1", "foo.com"] {
            found.extend(texts(url).into_iter().zip(of_expressions(url).iter().map(hex)));
        }
        assert_eq!(found, expected);
        assert_eq!(of_expressions("foo.com")[0][..4], [0xaf, 0x30, 0x01, 0x0e]);
    }
}
