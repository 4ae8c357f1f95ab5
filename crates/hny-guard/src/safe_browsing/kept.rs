//! What a provider said not long ago, in memory only.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use hashlink::LruCache;
use hny_domain::Threat;
use smallvec::SmallVec;

use super::answer::Answer;
use super::expressions::FullHash;

/// A warning needs word from the provider that is no older than this: its terms say so.
pub(super) const WARNING: Duration = Duration::from_mins(30);

/// How many questions and hits are kept: some fifteen megabytes.
const MOST: usize = 100_000;

/// What a provider was asked: the first bytes of a hash, then NUL.
pub(super) type Question = FullHash;

/// Questions and what was said to them.
#[derive(Debug)]
pub(super) struct Kept {
    /// How many bytes of a hash a question has.
    bytes: usize,
    memory: Mutex<Memory>,
}

/// What was said, the longest unused first to go.
#[derive(Debug)]
struct Memory {
    said: LruCache<Question, Said>,
    /// How many hits there are in all. A provider may have any number of them, and memory has not.
    hits: usize,
}

/// What was said to one.
#[derive(Debug, Clone)]
struct Said {
    at: Duration,
    until: Duration,
    /// All hashes that begin so and are on a list.
    hits: SmallVec<[(FullHash, Threat); 0]>,
}

/// What is known of the expressions of a URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Known {
    /// One of them is on a list; that may be told until then.
    Harmful(Threat, Duration),
    /// None is; that holds until then.
    Harmless(Duration),
    /// These have to be asked for first.
    Ask(Vec<Question>),
}

impl Known {
    /// What has to be asked for.
    pub(super) fn questions(&self) -> &[Question] {
        match self {
            Self::Ask(questions) => questions,
            Self::Harmful(..) | Self::Harmless(_) => &[],
        }
    }
}

impl Kept {
    /// For a provider that is told so many bytes of a hash.
    pub(super) fn new(bytes: usize) -> Self {
        Self { bytes, memory: Mutex::new(Memory { said: LruCache::new_unbounded(), hits: 0 }) }
    }

    /// What is known, by what was said up to `now`.
    pub(super) fn known(&self, hashes: &[FullHash], now: Duration) -> Known {
        let mut memory = self.open();
        let (mut ask, mut holds) = (Vec::new(), Duration::MAX);
        for hash in hashes {
            let question = self.question(hash);
            match memory.said.get(&question).filter(|said| now < said.until) {
                Some(said) => match said.hits.iter().find(|(hit, _)| hit == hash) {
                    Some((_, threat)) if now < said.warns_until() => {
                        return Known::Harmful(*threat, said.warns_until());
                    }
                    Some(_) => ask.push(question),
                    None => holds = holds.min(said.until),
                },
                None => ask.push(question),
            }
        }
        ask.sort_unstable();
        ask.dedup();
        if ask.is_empty() { Known::Harmless(holds) } else { Known::Ask(ask) }
    }

    /// Keeps an answer for all that was asked at `at`, whatever was found.
    pub(super) fn keep(&self, asked: &[Question], answer: &Answer, at: Duration) {
        for asked in asked {
            let hits = answer.hits.iter().filter(|(hash, _)| self.question(hash) == *asked).copied().collect();
            // One after the other: visits look in here, and wait for nothing.
            self.open().keep(*asked, Said { at, until: at + answer.lifetime, hits });
        }
    }

    fn question(&self, hash: &FullHash) -> Question {
        let mut question = [0; 32];
        question[..self.bytes].copy_from_slice(&hash[..self.bytes]);
        question
    }

    fn open(&self) -> MutexGuard<'_, Memory> {
        // Nothing is done in there that could panic half way.
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Memory {
    fn keep(&mut self, question: Question, said: Said) {
        self.hits += said.hits.len();
        if let Some(before) = self.said.insert(question, said) {
            self.hits -= before.hits.len();
        }
        while self.len() > MOST
            && let Some((_, oldest)) = self.said.remove_lru()
        {
            self.hits -= oldest.hits.len();
        }
    }

    fn len(&self) -> usize {
        self.said.len() + self.hits
    }
}

impl Said {
    fn warns_until(&self) -> Duration {
        self.until.min(self.at + WARNING)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HASHES: [FullHash; 2] = [[1; 32], [2; 32]];
    const PREFIXES: [Question; 2] = [prefix(1), prefix(2)];

    const fn prefix(byte: u8) -> Question {
        let mut question = [0; 32];
        let mut at = 0;
        while at < 4 {
            question[at] = byte;
            at += 1;
        }
        question
    }

    fn seconds(count: u64) -> Duration {
        Duration::from_secs(count)
    }

    fn answer(hits: &[FullHash], lifetime: u64) -> Answer {
        let hits = hits.iter().map(|hash| (*hash, Threat::Malware)).collect();
        Answer { hits, lifetime: seconds(lifetime) }
    }

    #[test]
    fn what_was_not_said_is_asked_for_once() {
        let kept = Kept::new(4);
        assert_eq!(kept.known(&[HASHES[1], HASHES[0], HASHES[1]], seconds(0)), Known::Ask(PREFIXES.to_vec()));
        kept.keep(&PREFIXES[..1], &answer(&[], 300), seconds(10));
        assert_eq!(kept.known(&HASHES, seconds(10)), Known::Ask(vec![PREFIXES[1]]));
        kept.keep(&PREFIXES[1..], &answer(&[], 500), seconds(20));
        assert_eq!(kept.known(&HASHES, seconds(309)), Known::Harmless(seconds(310)));
        assert_eq!(kept.known(&HASHES, seconds(310)), Known::Ask(vec![PREFIXES[0]]), "the lifetime is over");
    }

    #[test]
    fn only_the_whole_hash_is_a_hit() {
        let kept = Kept::new(4);
        let mut other = HASHES[0];
        other[31] = 0;
        kept.keep(&PREFIXES, &answer(&[other], 300), seconds(0));
        assert_eq!(kept.known(&HASHES, seconds(1)), Known::Harmless(seconds(300)));
        assert_eq!(kept.known(&[other], seconds(1)), Known::Harmful(Threat::Malware, seconds(300)));
    }

    #[test]
    fn nobody_is_warned_by_word_that_is_older_than_half_an_hour() {
        let kept = Kept::new(4);
        kept.keep(&PREFIXES, &answer(&HASHES[..1], 86_400), seconds(0));
        assert_eq!(kept.known(&HASHES, seconds(1_799)), Known::Harmful(Threat::Malware, seconds(1_800)));
        assert_eq!(kept.known(&HASHES, seconds(1_800)), Known::Ask(vec![PREFIXES[0]]));
        kept.keep(&PREFIXES[..1], &answer(&[], 300), seconds(1_801));
        assert_eq!(kept.known(&HASHES, seconds(1_802)), Known::Harmless(seconds(2_101)), "it was taken from the list");
    }

    #[test]
    fn memory_has_a_bound() {
        let kept = Kept::new(4);
        for number in 0..=u32::try_from(MOST).unwrap() {
            let mut question = [0; 32];
            question[..4].copy_from_slice(&number.to_be_bytes());
            kept.keep(&[question], &answer(&[], 300), seconds(0));
        }
        assert_eq!(kept.open().len(), MOST);
        let many = |byte: u8| -> Vec<FullHash> {
            let number = |number: usize| u64::try_from(number).unwrap().to_be_bytes();
            let hash = |hash: usize| {
                let mut full = [byte; 32];
                full[24..].copy_from_slice(&number(hash));
                full
            };
            (0..MOST / 2).map(hash).collect()
        };
        for (byte, prefix) in [(1, PREFIXES[0]), (2, PREFIXES[1]), (1, PREFIXES[0])] {
            kept.keep(&[prefix], &answer(&many(byte), 300), seconds(0));
            assert!(kept.open().len() <= MOST);
        }
        assert_eq!(kept.open().hits, MOST / 2, "what was said last is kept, and counted once");
    }
}
