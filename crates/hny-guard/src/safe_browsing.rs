//! Whether a page is said to be harmful: Google Safe Browsing v5 without a list of our own ("no-storage mode"), or Web Risk.
//!
//! A provider is told no more than it must be, is asked before a link is made and again when a link is followed whose verdict is
//! old, and nobody who follows a link waits for it. What it says is kept in memory, for as long as it says and the rules of its
//! service allow. A warning by word that is older than half an hour is none.

pub(crate) mod answer;
pub(crate) mod expressions;
mod inquiries;
mod kept;
mod line;
mod provider;
mod queue;
mod rest;
mod under_way;
pub(crate) mod web_risk;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use hny_domain::{Clock, Suspicion, Threat};
use tokio::runtime::Handle;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::time::timeout;

pub use provider::{Provider, Service};

use answer::Answer;
use inquiries::Page;
use kept::{Kept, Known, Question};
use line::Line;
use provider::{Inquiry, ProviderError};
use queue::Queue;
use rest::Rest;
use under_way::UnderWay;

/// How long whoever makes links waits for verdicts, however many links they are.
const AT_CREATE: Duration = Duration::from_millis(300);

/// How many inquiries of those who make links are under way at once.
const AT_ONCE: usize = 16;

/// How many wait for that. Beyond it links are made without a question; whoever follows them has it asked.
const MOST: usize = 1_000;

/// What is said of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It is on no list.
    Harmless,
    /// It is on a list, and the word is fresh enough to act on.
    Harmful(Suspicion),
    /// Nothing yet, or nothing fresh enough.
    Pending,
}

/// A verdict, and up to when it may be acted on without asking again, as time since some moment in this process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    /// What is said.
    pub verdict: Verdict,
    /// Until then; for one that is pending, from then on it is worth another look.
    pub until: Duration,
}

/// How often the provider was asked, and what became of that.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LookUps {
    /// Answered.
    pub answered: u64,
    /// Not answered.
    pub failed: u64,
    /// Left out, because too many pages wait to be asked about.
    pub dropped: u64,
    /// Pages that visits found without a verdict and that wait now.
    pub waiting: usize,
}

/// Asks a provider and remembers. Cheap to clone; all clones are the same one.
#[derive(Debug, Clone)]
pub struct SafeBrowsing(Arc<Parts>);

#[derive(Debug)]
struct Parts {
    provider: Provider,
    /// Where questions are asked: visits come on threads of their own.
    runtime: Handle,
    clock: Clock,
    kept: Kept,
    /// Of those who make links.
    line: Line,
    /// Of pages that visits found.
    queue: Queue,
    under_way: UnderWay,
    rest: Rest,
    answered: AtomicU64,
    failed: AtomicU64,
}

impl SafeBrowsing {
    /// Nothing is known yet. Questions are asked on the tokio runtime in which this is called.
    pub fn new(provider: Provider, clock: Clock) -> Self {
        let kept = Kept::new(provider.question_bytes());
        let (line, queue, rest) = (Line::new(AT_ONCE, MOST), Queue::default(), Rest::default());
        let (runtime, under_way) = (Handle::current(), UnderWay::default());
        let (answered, failed) = (AtomicU64::new(0), AtomicU64::new(0));
        Self(Arc::new(Parts { provider, runtime, clock, kept, line, queue, under_way, rest, answered, failed }))
    }

    /// The verdict on a page, for which nobody is kept waiting: where there is none that is fresh, the page is put into the
    /// queue of those that are asked about.
    pub fn standing(&self, url: &str) -> Standing {
        let now = self.now();
        match self.0.kept.known(&self.0.provider.hashes(url), now) {
            Known::Harmless(until) => Standing { verdict: Verdict::Harmless, until },
            Known::Harmful(threat, until) => Standing { verdict: self.harmful(threat), until },
            Known::Ask(_) => Standing { verdict: Verdict::Pending, until: self.ask_later(url, now) },
        }
    }

    /// The verdicts on pages to which links shall lead, in their order. Waits for 300 ms at most, for all of them; the questions go on
    /// behind that.
    pub async fn verdicts(&self, urls: Vec<String>) -> Vec<Verdict> {
        let (now, mut verdicts, mut open) = (self.now(), vec![Verdict::Pending; urls.len()], Vec::new());
        for (number, url) in urls.into_iter().enumerate() {
            let page = Page::new(&self.0.provider, number, url);
            match self.0.kept.known(&page.hashes, now) {
                Known::Harmless(_) => verdicts[number] = Verdict::Harmless,
                Known::Harmful(threat, _) => verdicts[number] = self.harmful(threat),
                Known::Ask(questions) => open.push((page, questions)),
            }
        }
        let (say, mut said) = unbounded_channel();
        for pages in inquiries::parted(open, self.0.provider.questions_at_once()) {
            self.inquire(pages, say.clone());
        }
        // When all have spoken nobody holds the other end.
        drop(say);
        let heard = async {
            while let Some((number, verdict)) = said.recv().await {
                verdicts[number] = verdict;
            }
        };
        // Who is not heard in time is pending.
        let _ = timeout(AT_CREATE, heard).await;
        verdicts
    }

    /// What became of questions.
    pub fn look_ups(&self) -> LookUps {
        LookUps {
            answered: self.0.answered.load(Ordering::Relaxed),
            failed: self.0.failed.load(Ordering::Relaxed),
            dropped: self.0.queue.dropped() + self.0.line.dropped(),
            waiting: self.0.queue.waiting(),
        }
    }

    /// Time as verdicts are dated.
    pub fn now(&self) -> Duration {
        self.0.clock.monotonic()
    }

    fn harmful(&self, threat: Threat) -> Verdict {
        Verdict::Harmful(Suspicion { threat, advisory: self.0.provider.advisory() })
    }

    /// Has pages asked about as soon as it is their turn, and says what is said of them.
    fn inquire(&self, pages: Vec<Page>, say: UnboundedSender<(usize, Verdict)>) {
        let Some(place) = self.0.line.join() else { return };
        let asking = self.clone();
        self.0.runtime.spawn(place.take(async move {
            let verdicts = asking.ask(&pages).await;
            for (page, verdict) in pages.iter().zip(verdicts) {
                // Nobody may be waiting any more.
                let _ = say.send((page.number, verdict));
            }
        }));
    }

    /// Puts a page into the queue; when it is worth another look.
    fn ask_later(&self, url: &str, now: Duration) -> Duration {
        if let Some(until) = self.0.rest.until(now) {
            return until;
        }
        if let Some(turn) = self.0.queue.join(url) {
            let (asking, page) = (self.clone(), Page::new(&self.0.provider, 0, url.to_owned()));
            self.0.runtime.spawn(turn.take(async move { drop(asking.ask(&[page]).await) }));
        }
        now + queue::PACE
    }

    /// Asks at once for all that is not known of these pages; the verdicts in their order. What others are asking for already is waited
    /// for: a question may cost money.
    async fn ask(&self, pages: &[Page]) -> Vec<Verdict> {
        let (known, answer) = loop {
            let now = self.now();
            let known: Vec<_> = pages.iter().map(|page| self.0.kept.known(&page.hashes, now)).collect();
            let mut questions: Vec<_> = known.iter().flat_map(Known::questions).copied().collect();
            questions.sort_unstable();
            questions.dedup();
            if questions.is_empty() || self.0.rest.until(now).is_some() {
                break (known, None);
            }
            if let Some(_asking) = self.0.under_way.begin(&questions).await {
                break (known, self.answer(pages, &questions, now).await);
            }
        };
        let verdict = |(page, known): (&Page, Known)| match (known, &answer) {
            (Known::Harmless(_), _) => Verdict::Harmless,
            (Known::Harmful(threat, _), _) => self.harmful(threat),
            (Known::Ask(_), None) => Verdict::Pending,
            (Known::Ask(_), Some(answer)) => {
                let hit = answer.hits.iter().find(|(hash, _)| page.hashes.contains(hash));
                hit.map_or(Verdict::Harmless, |(_, threat)| self.harmful(*threat))
            }
        };
        pages.iter().zip(known).map(verdict).collect()
    }

    /// The provider's answer, which is kept. It is dated by when it was asked for.
    async fn answer(&self, pages: &[Page], questions: &[Question], now: Duration) -> Option<Answer> {
        let url = pages.first().map(|page| page.url.clone()).unwrap_or_default();
        let inquiry = Inquiry { url, questions: questions.to_vec() };
        match self.0.provider.ask(inquiry, self.0.clock.now()).await {
            Ok(answer) => {
                self.0.answered.fetch_add(1, Ordering::Relaxed);
                self.0.rest.end();
                self.0.kept.keep(questions, &answer, now);
                Some(answer)
            }
            Err(error) => {
                self.0.failed.fetch_add(1, Ordering::Relaxed);
                self.failed(&error, questions);
                None
            }
        }
    }

    /// Leaves the provider alone for a while, and says so once; or only the one URL that it does not take.
    fn failed(&self, error: &ProviderError, questions: &[Question]) {
        let now = self.now();
        let asked_for = match error {
            ProviderError::NotThisUrl(_) => {
                return self.0.kept.keep(questions, &Answer::new(Vec::new(), kept::WARNING), now);
            }
            ProviderError::Refused { retry_after, .. } => *retry_after,
            ProviderError::Silent | ProviderError::Unreadable => None,
        };
        if let Some(rest) = self.0.rest.begin(now, asked_for) {
            tracing::warn!(%error, "links are not looked up for {} seconds", rest.as_secs());
        }
    }
}

#[cfg(test)]
mod tests;
