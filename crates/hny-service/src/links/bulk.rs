//! The verbs on many links at once. Each link is a change of its own, so none is lost for another; they are asked for at the same time,
//! so that the store makes many by one commit.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;
use std::sync::Arc;

use hny_domain::{Caller, Code, DomainId, Expected};
use hny_store::StoreError;
use tokio::task::JoinSet;

use super::{Links, Making, Wish};
use crate::error::Error;

/// What became of one of many, by its number.
pub type Numbered<T> = (usize, Result<T, Error>);

impl Links {
    /// Makes links. Of those that want codes which look alike, the first in the list comes first.
    pub async fn make_all(&self, wishes: Vec<(usize, Wish)>) -> Vec<Numbered<Making>> {
        let (wishes, mut done) = self.heard(wishes).await;
        let look = |wish: &Wish| wish.draft.code.as_ref().map(|code| (wish.draft.domain, code.skeleton()));
        let made = in_rounds(wishes, look, |wish| {
            let links = self.clone();
            async move { links.insert_wish(&wish).await }
        });
        done.extend(made.await);
        done
    }

    /// The wishes of which no harm is heard, and what is to be said of the others. All are heard together: nobody waits longer for many.
    async fn heard(&self, wishes: Vec<(usize, Wish)>) -> (Vec<(usize, Wish)>, Vec<Numbered<Making>>) {
        let leads: Vec<_> = wishes.iter().map(|(_, wish)| wish.leads()).collect();
        let (mut good, mut refused) = (Vec::with_capacity(wishes.len()), Vec::new());
        for ((number, wish), heard) in wishes.into_iter().zip(self.parts.screen.hear(&leads).await) {
            match heard {
                Ok(()) => good.push((number, wish)),
                Err(error) => refused.push((number, Err(error))),
            }
        }
        (good, refused)
    }

    /// Deletes links, whatever they are now.
    pub async fn delete_all(&self, caller: Caller, codes: Vec<(usize, (DomainId, Code))>) -> Vec<Numbered<()>> {
        in_rounds(
            codes,
            |place| Some(place.clone()),
            |(domain, code)| {
                let links = self.clone();
                async move { links.delete(caller, (domain, &code), Expected::Any).await }
            },
        )
        .await
    }
}

/// Does all of it, at the same time but for what has the same mark: that is done one after the other, in its order.
async fn in_rounds<W, M: Eq + Hash, T: Send + 'static, D: Future<Output = Result<T, Error>> + Send + 'static>(
    work: Vec<(usize, W)>,
    mark: impl Fn(&W) -> Option<M>,
    mut begin: impl FnMut(W) -> D,
) -> Vec<Numbered<T>> {
    let (mut rest, mut done) = (work, Vec::new());
    while !rest.is_empty() {
        let mut marks = HashSet::new();
        let (round, later): (Vec<_>, _) =
            rest.into_iter().partition(|(_, work)| mark(work).is_none_or(|mark| marks.insert(mark)));
        done.extend(at_once(round.into_iter().map(|(number, work)| (number, begin(work)))).await);
        rest = later;
    }
    done
}

async fn at_once<T: Send + 'static>(
    work: impl Iterator<Item = (usize, impl Future<Output = Result<T, Error>> + Send + 'static)>,
) -> Vec<Numbered<T>> {
    let (mut tasks, mut numbers) = (JoinSet::new(), HashMap::new());
    for (number, work) in work {
        numbers.insert(tasks.spawn(work).id(), number);
    }
    let mut done = Vec::with_capacity(numbers.len());
    while let Some(ended) = tasks.join_next_with_id().await {
        let (id, outcome) = match ended {
            Ok((id, outcome)) => (id, outcome),
            Err(error) => (error.id(), Err(Error::Store(StoreError::Broken(Arc::new(error))))),
        };
        done.extend(numbers.get(&id).map(|number| (*number, outcome)));
    }
    done
}
