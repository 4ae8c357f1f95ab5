//! How the host of a target is spelt, for people who are to judge where it leads.

use unicode_security::mixed_script::AugmentedScriptSet;
use unicode_security::skeleton;

use crate::Target;

/// A letter of languages of the Caucasus.
const SMALL_PALOCHKA: char = '\u{4CF}';

/// The host of a target, and what of its spelling may deceive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spelling {
    /// The host as it is asked for, in ASCII.
    pub host: String,
    /// The letters that it stands for, where it is punycode.
    pub unicode: Option<String>,
    /// Whether one of its words has letters of several scripts, other than those that one language writes with (UTS 39, section 5.1).
    pub is_mixed: bool,
    /// The host of plain letters that it looks like (UTS 39, section 4), when it is all of look-alikes.
    pub looks_like: Option<String>,
}

impl Spelling {
    /// That of the host of `target`.
    pub fn of(target: &Target) -> Self {
        let host = host(target.as_str()).to_owned();
        let is_punycode = host.split('.').any(|word| word.starts_with("xn--"));
        // What a browser would not show as letters is not shown as letters here.
        let unicode =
            is_punycode.then(|| idna::domain_to_unicode(&host)).and_then(|(text, read)| read.ok().map(|()| text));
        let is_mixed = unicode.as_deref().is_some_and(|text| text.split('.').any(is_mixed));
        let looks_like = unicode.as_deref().and_then(plain_twin);
        Self { host, unicode, is_mixed, looks_like }
    }
}

/// The host in a URL that the serialiser has written: it has no user.
fn host(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or(rest);
    match authority.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|digit| digit.is_ascii_digit()) => host,
        _ => authority,
    }
}

fn is_mixed(word: &str) -> bool {
    AugmentedScriptSet::for_str(word).is_empty()
}

/// The plain letters that a text looks like as a whole. Those that are plain stand for themselves: their skeletons are for
/// comparing, not for reading (that of `m` is `rn`).
fn plain_twin(text: &str) -> Option<String> {
    let mut twin = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            letter if letter.is_ascii() => twin.push(letter),
            // Its skeleton is an i, but in most fonts it is an l.
            SMALL_PALOCHKA => twin.push('l'),
            letter => twin.extend(skeleton(letter.encode_utf8(&mut [0; 4]))),
        }
    }
    (twin.is_ascii() && twin != text).then_some(twin)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spelling(url: &str) -> Spelling {
        Spelling::of(&Target::parse(url).unwrap())
    }

    #[test]
    fn plain_hosts_are_plain() {
        for (url, host) in [
            ("https://example.com/a?b=xn--c", "example.com"),
            ("https://example.com:8443#a:1", "example.com"),
            ("http://[2001:db8::1]:80/", "[2001:db8::1]"),
            ("http://[2001:db8::1]/", "[2001:db8::1]"),
            ("http://192.0.2.1:8080?x", "192.0.2.1"),
        ] {
            let plain = Spelling { host: host.to_owned(), unicode: None, is_mixed: false, looks_like: None };
            assert_eq!(spelling(url), plain, "{url}");
        }
    }

    #[test]
    fn letters_of_one_language_are_shown_and_no_more() {
        for name in ["bücher.example", "例え.jp", "пример.example", "ドメイン名例.jp", "한국어漢字.kr"]
        {
            let shown = spelling(&format!("https://{name}/"));
            assert_eq!(shown.unicode.as_deref(), Some(name));
            assert!(shown.host.contains("xn--"), "{shown:?}");
            assert_eq!((shown.is_mixed, shown.looks_like), (false, None), "{name}");
        }
    }

    #[test]
    fn scripts_in_one_word_are_mixed() {
        // The second letter is Cyrillic.
        let mixed = spelling("https://pаypal.com/");
        assert!(mixed.is_mixed && mixed.unicode.is_some(), "{mixed:?}");
        assert_eq!(mixed.looks_like.as_deref(), Some("paypal.com"));
    }

    #[test]
    fn a_word_all_of_look_alikes_is_found() {
        // Cyrillic, all of it: a, r, r, palochka, ie.
        let twin = spelling("https://аррӏе.com/");
        assert!(!twin.is_mixed);
        assert_eq!(twin.looks_like.as_deref(), Some("apple.com"));
    }
}
