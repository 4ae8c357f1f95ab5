//! What an agent string says: browser, operating system and class of device.

use std::sync::Arc;

use hashlink::LruCache;
use ua_parser::{Extractor, Regexes};

mod device;

/// The patterns for browsers and operating systems of the uap-core project, as of what `ua-parser` 0.2.2 is tested with (Apache-2.0).
/// Those for devices are left out: they name brands and models, and a class of device is found without.
const REGEXES: &str = include_str!("agent/regexes.json");

/// How many agent strings are remembered. On a busy day nearly all visitors share some thousand.
const REMEMBERED: usize = 8192;

/// How long a name is at most, in bytes: some are taken from what the visitor wrote.
const MOST_NAME: usize = 64;

/// What an agent string says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Agent {
    pub(crate) browser: Option<Arc<str>>,
    pub(crate) os: Option<Arc<str>>,
    pub(crate) device: Option<Arc<str>>,
}

/// Reads agent strings, and remembers what the last ones said.
pub(crate) struct Agents {
    /// Made with the first string that is read: it takes some milliseconds and megabytes, which who has no visitors does not spend.
    extractor: Option<Extractor<'static>>,
    known: LruCache<Box<[u8]>, Agent>,
}

impl Agents {
    pub(crate) fn new() -> Self {
        Self { extractor: None, known: LruCache::new(REMEMBERED) }
    }

    /// What this string says. Bytes that are no UTF-8 are read as the replacement character.
    pub(crate) fn read(&mut self, agent: &[u8]) -> Agent {
        if agent.is_empty() {
            return Agent::default();
        }
        if let Some(known) = self.known.get(agent) {
            return known.clone();
        }
        let text = String::from_utf8_lossy(agent);
        let read = parse(self.extractor.get_or_insert_with(extractor), &text);
        self.known.insert(agent.into(), read.clone());
        read
    }
}

fn parse(extractor: &Extractor<'static>, text: &str) -> Agent {
    let browser = extractor.ua.extract(text).map(|found| name(&found.family));
    let os = extractor.os.extract(text).map(|found| name(&found.os));
    let device = device::class(text, os.as_deref()).map(Arc::from);
    Agent { browser, os, device }
}

/// At most as much as a name may have, cut between characters.
fn name(text: &str) -> Arc<str> {
    text[..text.floor_char_boundary(MOST_NAME)].into()
}

#[expect(clippy::expect_used, reason = "the patterns are compiled in, and every test of this room makes this of them")]
fn extractor() -> Extractor<'static> {
    let regexes: Regexes<'static> = serde_json::from_str(REGEXES).expect("the patterns are JSON");
    regexes.try_into().expect("the patterns are regular expressions")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(agents: &mut Agents, agent: &str) -> [Option<String>; 3] {
        let Agent { browser, os, device } = agents.read(agent.as_bytes());
        [browser, os, device].map(|name| name.map(|name| (*name).to_owned()))
    }

    #[test]
    fn what_people_use_is_known() {
        let mut agents = Agents::new();
        for (agent, browser, os, device) in [
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36",
                "Chrome",
                "Windows",
                "desktop",
            ),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36 Edg/131.0.0.0",
                "Edge",
                "Windows",
                "desktop",
            ),
            ("Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0", "Firefox", "Linux", "desktop"),
            (
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15",
                "Safari",
                "Mac OS X",
                "desktop",
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1",
                "Mobile Safari",
                "iOS",
                "mobile",
            ),
            (
                "Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.6 Mobile/15E148 Safari/604.1",
                "Mobile Safari",
                "iOS",
                "tablet",
            ),
            (
                "Mozilla/5.0 (Linux; Android 14; SM-S918B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/27.0 Chrome/125.0.0.0 Mobile Safari/537.36",
                "Samsung Internet",
                "Android",
                "mobile",
            ),
        ] {
            let expected = [browser, os, device].map(|name| Some(name.to_owned()));
            assert_eq!(read(&mut agents, agent), expected, "{agent}");
            assert_eq!(read(&mut agents, agent), expected, "and again, as it was remembered");
        }
    }

    #[test]
    fn strange_strings_say_little_and_break_nothing() {
        let mut agents = Agents::new();
        assert_eq!(read(&mut agents, ""), [None, None, None]);
        assert_eq!(read(&mut agents, "x"), [None, None, None]);
        for agent in [&b"\xff\xfe\0"[..], &[b'('; 512], "\u{1f36f}".repeat(100).as_bytes(), b"=cmd|' /C calc'!A0"] {
            agents.read(agent);
        }
    }

    #[test]
    fn names_are_cut_between_characters() {
        assert_eq!(&*name("Chrome"), "Chrome");
        assert_eq!(name(&"\u{e9}".repeat(64)).len(), MOST_NAME);
        assert_eq!(name(&format!("x{}", "\u{e9}".repeat(64))).len(), MOST_NAME - 1);
    }

    #[test]
    fn what_is_remembered_is_bounded() {
        let mut agents = Agents::new();
        for number in 0..REMEMBERED + 10 {
            agents.known.insert(number.to_le_bytes().into(), Agent::default());
        }
        assert_eq!(agents.known.len(), REMEMBERED);
    }
}
