//! Which agents are robots: crawlers, previews of links, monitors, libraries.

use std::cell::RefCell;
use std::hash::{BuildHasher, RandomState};
use std::sync::LazyLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind};
use foldhash::fast::FixedState;
use regex::bytes::Regex;

/// The patterns of the crawler-user-agents project, 1.67.0 of 2026-10-25 (MIT; copyright 2017 Martin Monperrus): regular expressions, nearly all
/// of them mere words.
const PATTERNS: &str = include_str!("robots.txt");

/// How many agents a thread remembers, a power of two. On a busy day nearly all visitors share some thousand.
const REMEMBERED: usize = 4096;

/// What is known of robots.
struct Robots {
    words: AhoCorasick,
    others: Regex,
}

static ROBOTS: LazyLock<Robots> = LazyLock::new(Robots::new);

/// Drawn for this process, so that nobody can have two agents taken for one.
static HASHER: LazyLock<FixedState> = LazyLock::new(|| FixedState::with_seed(RandomState::new().hash_one(PATTERNS)));

thread_local! {
    /// By their hash, whose last bit says whether it is a robot. A hash is enough: that another agent has the same 63 bits is as likely
    /// as nothing, and of no consequence.
    static KNOWN: RefCell<Box<[u64]>> = RefCell::new(vec![0; REMEMBERED].into());
}

/// Makes ready for the first visitor, who would wait some milliseconds else.
pub(crate) fn prepare() {
    LazyLock::force(&ROBOTS);
    LazyLock::force(&HASHER);
}

/// Whether this agent is one of a robot. Who says nothing is none.
pub(super) fn is_robot(agent: &[u8]) -> bool {
    if agent.is_empty() {
        return false;
    }
    let hash = HASHER.hash_one(agent) | 1;
    KNOWN.with_borrow_mut(|known| {
        // It chooses a place, and its last bits are as good as its first.
        let place = &mut known[(hash >> 1) as usize & (REMEMBERED - 1)];
        if *place | 1 != hash {
            *place = hash - u64::from(!ROBOTS.know(agent));
        }
        *place & 1 == 1
    })
}

impl Robots {
    #[expect(
        clippy::expect_used,
        reason = "the patterns are compiled in, and every test of this room makes this of them"
    )]
    fn new() -> Self {
        let (words, others): (Vec<_>, Vec<_>) =
            PATTERNS.lines().map(|pattern| (word(pattern), pattern)).partition(|(word, _)| word.is_some());
        let words = words.into_iter().filter_map(|(word, _)| word);
        let words = AhoCorasick::builder().kind(Some(AhoCorasickKind::ContiguousNFA)).build(words);
        let others: Vec<_> = others.into_iter().map(|(_, pattern)| format!("(?:{pattern})")).collect();
        let others = Regex::new(&others.join("|"));
        Self { words: words.expect("there are few words"), others: others.expect("the others are regular expressions") }
    }

    fn know(&self, agent: &[u8]) -> bool {
        self.words.is_match(agent) || self.others.is_match(agent)
    }
}

/// The word that a pattern stands for, if it does for one only.
fn word(pattern: &str) -> Option<String> {
    let (mut word, mut characters) = (String::new(), pattern.chars());
    while let Some(character) = characters.next() {
        match character {
            '\\' => word.push(characters.next().filter(char::is_ascii_punctuation)?),
            '.' | '^' | '$' | '|' | '?' | '*' | '+' | '(' | ')' | '[' | ']' | '{' | '}' => return None,
            _ => word.push(character),
        }
    }
    (!word.is_empty()).then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Agents that the patterns were made for, from the same source.
    const SEEN: &str = include_str!("robots_seen.txt");

    #[test]
    fn every_robot_that_was_seen_is_known() {
        assert!(SEEN.lines().count() > 2_000);
        for agent in SEEN.lines() {
            assert!(is_robot(agent.as_bytes()), "{agent}");
        }
    }

    #[test]
    fn what_people_use_is_no_robot() {
        for agent in [
            "",
            "x",
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36",
            "Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0",
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1",
            "Mozilla/5.0 (Linux; Android 14; SM-S918B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/27.0 Chrome/125.0.0.0 Mobile Safari/537.36",
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15",
        ] {
            assert!(!is_robot(agent.as_bytes()), "{agent}");
            assert!(!is_robot(agent.as_bytes()), "and again, as it is remembered: {agent}");
        }
    }

    #[test]
    fn link_previews_are_robots() {
        for agent in [
            "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
            "Twitterbot/1.0",
            "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
            "Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)",
            "TelegramBot (like TwitterBot)",
            "WhatsApp/2.23.20.0",
            "LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)",
            "curl/8.5.0",
        ] {
            assert!(is_robot(agent.as_bytes()), "{agent}");
        }
    }

    #[test]
    fn more_agents_than_are_remembered_are_told_apart() {
        for round in 0..2 {
            for number in 0..3 * REMEMBERED {
                let (person, robot) = (format!("Browser {number}"), format!("Twitterbot {number}"));
                assert!(!is_robot(person.as_bytes()) && is_robot(robot.as_bytes()), "{round} {number}");
            }
        }
    }

    #[test]
    fn strange_bytes_are_nobody() {
        assert!(!is_robot(b"\xff\xfe\0") && is_robot(b"\xffTwitterbot\xff"));
    }

    #[test]
    fn most_patterns_are_words() {
        assert_eq!(word(r"Googlebot\/"), Some("Googlebot/".to_owned()));
        assert_eq!((word("[wW]get"), word(r"a\d"), word("^x"), word("")), (None, None, None, None));
        assert!(PATTERNS.lines().filter(|pattern| word(pattern).is_none()).count() < 60);
    }
}
