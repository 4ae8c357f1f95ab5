//! Puts links into a database, many at once: `seed FILE < LINKS`, one link a line, its code and its target with a space
//! between. The benches fill their files with it; each link goes the way that a created one goes.

use hny_domain::{Caller, Clock, Code, CodeOrigin, DomainId, Draft, LinkId, Target};
use hny_store::{Insertion, NewLink, Settings, Store, Terms};
use std::error::Error;
use std::io::BufRead;
use tokio::task::JoinSet;

/// As many as the writer takes into two commits: while one runs, the next fills.
const AT_ONCE: usize = 1024;

type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

#[tokio::main]
async fn main() -> Result<()> {
    let path = std::env::args_os().nth(1).ok_or("say which file to put the links into")?;
    let store = Store::open(Settings::new(path)).await?;
    let clock = Clock::system();
    let mut waiting = JoinSet::new();
    let mut number = 0;
    for line in std::io::stdin().lock().lines() {
        if waiting.len() == AT_ONCE {
            finished(&mut waiting).await?;
        }
        number += 1;
        let link = link(LinkId(number), &line?, &clock)?;
        let store = store.clone();
        waiting.spawn(async move { insert(&store, link).await });
    }
    while !waiting.is_empty() {
        finished(&mut waiting).await?;
    }
    store.close().await;
    Ok(())
}

async fn finished(waiting: &mut JoinSet<Result<()>>) -> Result<()> {
    waiting.join_next().await.unwrap_or(Ok(Ok(())))?
}

async fn insert(store: &Store, link: NewLink) -> Result<()> {
    let code = link.code.clone();
    match store.insert_link(link).await? {
        Insertion::Inserted(_) => Ok(()),
        Insertion::CodeTaken | Insertion::Lookalike | Insertion::Found(_) | Insertion::Answered(_) => {
            Err(format!("the code {code} is taken").into())
        }
    }
}

fn link(id: LinkId, line: &str, clock: &Clock) -> Result<NewLink> {
    let (code, target) = line.split_once(' ').ok_or("a line has a code, a space and a target")?;
    let draft = Draft::plain(Target::parse(target)?);
    let (code, caller, now) = (Code::parse(code)?, Caller::Anonymous, clock.now());
    Ok(NewLink {
        id,
        domain: DomainId::BASE,
        code,
        origin: CodeOrigin::Generated,
        draft,
        caller,
        now,
        terms: Terms::default(),
    })
}
