//! Which of the links that wait may be made together.

use std::collections::HashSet;

use hny_domain::{Code, DomainId, Link};

use super::Job;
use crate::Insertion;

/// The links that wait, in the order in which they came.
#[derive(Debug, Default)]
pub(super) struct Waiting(Vec<Job>);

impl Waiting {
    pub(super) fn push(&mut self, job: Job) {
        self.0.push(job);
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Takes what one statement can make, sorted by domain and code. Of links with the same code, with chosen codes that look
    /// alike, of one request, or to one target where one will do, the first is taken and the others go on waiting: a statement does not see
    /// what it writes itself.
    pub(super) fn take_batch(&mut self) -> Vec<Job> {
        let (mut codes, mut skeletons, mut requests) = (HashSet::new(), HashSet::new(), HashSet::new());
        let mut targets = HashSet::new();
        let mut is_first = |job: &Job| {
            let domain = job.link.domain;
            let looks_new = job.link.skeleton().is_none_or(|skeleton| skeletons.insert((domain, skeleton)));
            let receipt = job.link.terms.receipt.as_ref();
            let is_asked_first = receipt.is_none_or(|receipt| requests.insert(receipt.request));
            let target = || (domain, job.link.caller.owner(), job.link.draft.target.as_str().to_owned());
            let is_first_there = !job.link.terms.reuse || targets.insert(target());
            looks_new && is_asked_first && is_first_there && codes.insert((domain, job.link.code.clone()))
        };
        let (mut batch, rest): (Vec<_>, Vec<_>) = self.0.drain(..).partition(|job| is_first(job));
        self.0 = rest;
        batch.sort_unstable_by(|left, right| place(left).cmp(&place(right)));
        batch
    }

    /// Tells all who wait for the code of a link that was just made that it is taken, without asking the database for each: a
    /// thousand who want the same code would wait for a thousand transactions. (Where there are terms, the database has more to say.)
    pub(super) fn refuse_all_of(&mut self, made: &Link) {
        let (domain, code) = (made.domain, &made.code);
        let is_refused = |job: &mut Job| place(job) == (domain, code) && job.link.terms.is_empty();
        for job in self.0.extract_if(.., is_refused) {
            drop(job.answer.send(Ok(Insertion::CodeTaken)));
        }
    }
}

fn place(job: &Job) -> (DomainId, &Code) {
    (job.link.domain, &job.link.code)
}
