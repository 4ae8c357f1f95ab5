//! The writer: makes links, as many in one transaction as have come in while the last one ran.
//!
//! A durable commit costs a wait for the disk and a way there and back, whether it holds one link or hundreds.

mod batch;

use hny_domain::{LinkId, Version};
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;

use super::failure::Failure;
use super::insert::{self, Outcome, Outcomes};
use super::line::Line;
use super::news::News;
use super::tasks::Tasks;
use crate::{Change, Insertion, NewLink};
use batch::Waiting;

/// How many links may wait; more callers wait before they hand theirs over.
const QUEUE_LENGTH: usize = 4096;

/// How many links go into one transaction at most, so that the first of them is not kept waiting for all.
const BATCH_LIMIT: usize = 512;

/// The handle to the writer.
#[derive(Debug)]
pub(super) struct Writer(mpsc::Sender<Job>);

/// A link to be made, and whom to tell.
#[derive(Debug)]
struct Job {
    link: NewLink,
    /// Whether another generation of the shared cache begins with it.
    begins: bool,
    answer: oneshot::Sender<Result<Insertion, Failure>>,
}

impl Writer {
    /// Starts the writer on a connection of its own. It finishes what it has when the store is closed.
    pub(super) fn start(line: Line, news: News, tasks: &Tasks) -> Self {
        let (queue, jobs) = mpsc::channel(QUEUE_LENGTH);
        let closing = tasks.closing.clone();
        tasks.work.spawn(async move { Task { line, news }.run(jobs, closing).await });
        Self(queue)
    }

    /// Makes a link in the next transaction. Once handed over it is made even if the returned future is dropped.
    pub(super) async fn insert(&self, link: NewLink, begins: bool) -> Result<Insertion, Failure> {
        let (answer, answered) = oneshot::channel();
        self.0.send(Job { link, begins, answer }).await.map_err(|_| Failure::Closed)?;
        answered.await.map_err(|_| Failure::Closed)?
    }
}

struct Task {
    line: Line,
    news: News,
}

impl Task {
    async fn run(&self, mut jobs: mpsc::Receiver<Job>, closing: CancellationToken) {
        let mut waiting = Waiting::default();
        loop {
            if waiting.is_empty() {
                tokio::select! {
                    job = jobs.recv() => match job {
                        Some(job) => waiting.push(job),
                        None => return,
                    },
                    // What is in the queue already is still done.
                    () = closing.cancelled(), if !jobs.is_closed() => jobs.close(),
                }
            }
            while waiting.len() < BATCH_LIMIT
                && let Ok(job) = jobs.try_recv()
            {
                waiting.push(job);
            }
            let batch = waiting.take_batch();
            if !batch.is_empty() {
                self.commit(batch, &mut waiting).await;
            }
        }
    }

    /// First the commit, then the listeners, then the answers: who has an answer can rely on every cache of this process.
    async fn commit(&self, batch: Vec<Job>, waiting: &mut Waiting) {
        let begins = batch.iter().any(|job| job.begins);
        let (links, answers): (Vec<_>, Vec<_>) = batch.into_iter().map(|job| (job.link, job.answer)).unzip();
        match self.insert(&links, begins).await {
            // A row of somebody else's is no reason to fail.
            Err(failure) if links.len() > 1 && !failure.is_passing() => {
                for (link, answer) in links.into_iter().zip(answers) {
                    let outcomes = self.insert(std::slice::from_ref(&link), begins).await;
                    self.settle(vec![link], vec![answer], outcomes, waiting);
                }
            }
            outcomes => self.settle(links, answers, outcomes, waiting),
        }
    }

    fn settle(
        &self,
        links: Vec<NewLink>,
        answers: Vec<oneshot::Sender<Result<Insertion, Failure>>>,
        outcomes: Result<Outcomes, Failure>,
        waiting: &mut Waiting,
    ) {
        let insertions: Vec<_> = match outcomes {
            Ok(outcomes) => {
                self.news.tell_own(&changes(&links, &outcomes));
                let told = |link: NewLink| {
                    let outcome = outcomes.get(&link.id);
                    Ok(insert::insertion(link, outcome))
                };
                links.into_iter().map(told).collect()
            }
            Err(failure) => links.iter().map(|_| Err(failure.clone())).collect(),
        };
        for (insertion, answer) in insertions.into_iter().zip(answers) {
            if let Ok(Insertion::Inserted(link)) = &insertion {
                waiting.refuse_all_of(link);
            }
            // The caller may have gone away.
            drop(answer.send(insertion));
        }
    }

    /// Makes the links, and finds out what became of them if the connection breaks. What was not made then is tried once more.
    async fn insert(&self, links: &[NewLink], begins: bool) -> Result<Outcomes, Failure> {
        match insert::insert(&*self.line.session().await?, links, begins).await {
            Err(failure) if failure.is_loss() => {
                let made = self.look_up(links).await.map_err(|_| Failure::Unknown)?;
                if matches!(failure, Failure::Late) && made.is_empty() {
                    return Err(failure);
                }
                self.insert_rest(links, made, begins).await
            }
            Err(failure) if failure.is_worth_another_try() => {
                insert::insert(&*self.line.session().await?, links, begins).await
            }
            outcomes => outcomes,
        }
    }

    async fn look_up(&self, links: &[NewLink]) -> Result<Outcomes, Failure> {
        insert::look_up(&*self.line.session().await?, links).await
    }

    /// Makes those links that are not there; a link that is there was made by us, for nobody else has its id. What had been refused
    /// before is refused again.
    async fn insert_rest(&self, links: &[NewLink], mut made: Outcomes, begins: bool) -> Result<Outcomes, Failure> {
        let rest: Vec<_> = links.iter().filter(|link| !made.contains_key(&link.id)).cloned().collect();
        if !rest.is_empty() {
            made.extend(insert::insert(&*self.line.session().await?, &rest, begins).await?);
        }
        Ok(made)
    }
}

/// The changes among the outcomes, by ascending version.
fn changes(links: &[NewLink], outcomes: &Outcomes) -> Vec<Change> {
    let version = |id: LinkId| match outcomes.get(&id) {
        Some(Outcome::Made(version)) => Some(*version),
        _ => None,
    };
    let change = |link: &NewLink, version: Version| Change { domain: link.domain, code: link.code.clone(), version };
    let mut changes: Vec<_> = links.iter().filter_map(|link| Some(change(link, version(link.id)?))).collect();
    changes.sort_unstable_by_key(|change| change.version);
    changes
}
