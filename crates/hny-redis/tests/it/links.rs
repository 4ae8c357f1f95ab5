//! The shared cache of links.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::time::Duration;

use hny_domain::{Code, DomainId, Lead, LinkId, Rules, Timestamp, Version};
use hny_redis::{Known, Links, Redis, Unavailable};
use proptest::prelude::*;
use tokio::runtime::Runtime;

use crate::{connect, open, until};

const NOW: Timestamp = Timestamp::from_millis(1_700_000_000_000);

fn code(text: &str) -> Code {
    Code::parse(text).unwrap()
}

/// The links of a generation, on the run that is connected.
fn links(redis: &Redis, generation: u64) -> Links {
    redis.links(generation, redis.run().unwrap().as_str()).unwrap()
}

/// The link as it is after the change with this number.
fn lead(version: u64) -> Lead<'static> {
    let link = LinkId(version.cast_signed());
    Lead { link, target: "https://example.com/", expired_url: None, rules: Rules::PLAIN, version: Version(version) }
}

async fn find(links: &Links, code: &Code) -> Option<Known<LinkId>> {
    links.find(DomainId::BASE, code, |lead| lead.link).await.unwrap()
}

async fn fill(links: &Links, code: &Code, version: u64) -> bool {
    links.fill(DomainId::BASE, code, lead(version), NOW).await.unwrap()
}

async fn announce(links: &Links, code: &Code) {
    links.announce(DomainId::BASE, code).await.unwrap();
}

async fn publish(links: &Links, code: &Code, version: u64, lead: Option<Lead<'_>>) {
    links.publish(DomainId::BASE, code, Version(version), lead, NOW).await.unwrap();
}

fn known(version: u64) -> Known<LinkId> {
    Known { version: Version(version), link: Some(LinkId(version.cast_signed())) }
}

#[tokio::test]
async fn what_was_filled_is_found_with_its_rules() {
    let server = hny_testkit::Redis::start();
    let links = links(&connect(&server).await, 1);
    let rules = Rules { active: false, expires_at: Some(NOW.after(Duration::from_secs(90))), ..Rules::PLAIN };
    let lead = Lead { rules, ..lead(7) };
    assert_eq!(find(&links, &code("abc")).await, None);
    assert_eq!(links.fill(DomainId::BASE, &code("abc"), lead, NOW).await, Ok(true));
    let found = links.find(DomainId::BASE, &code("abc"), |found| found == lead).await;
    assert_eq!(found, Ok(Some(Known { version: Version(7), link: Some(true) })));
    // Codes differ by the case of a letter, and domains are apart.
    assert_eq!(find(&links, &code("Abc")).await, None);
    assert_eq!(links.find(DomainId(1), &code("abc"), |_| ()).await, Ok(None));
    let lifetime = server.command(&["PTTL", "test:1:link:0:abc"]);
    let lifetime: u64 = lifetime.trim_start_matches("(integer) ").parse().unwrap();
    assert!((60_000..=90_000).contains(&lifetime), "{lifetime}");
}

#[tokio::test]
async fn those_who_ask_together_get_what_each_asked_for() {
    let server = hny_testkit::Redis::start();
    let links = links(&connect(&server).await, 1);
    let codes: Vec<_> = (0..300).map(|number| code(&format!("c{number}"))).collect();
    for version in (0..300).step_by(3) {
        assert!(fill(&links, &codes[version], version as u64 + 1).await);
    }
    server.command(&["CONFIG", "RESETSTAT"]);
    let asked: Vec<_> = codes.iter().map(|code| links.ask(DomainId::BASE, code)).collect();
    for (number, asked) in asked.into_iter().enumerate() {
        let known = (number % 3 == 0).then(|| known(number as u64 + 1));
        assert_eq!(asked.answer(|lead| lead.link).await, Ok(known));
    }
    let questions = server.command(&["INFO", "commandstats"]);
    assert!(questions.contains("cmdstat_mget:calls=3,"), "two full ones and the rest: {questions}");
}

#[tokio::test]
async fn who_asks_hears_that_the_answer_is_late_before_there_is_none() {
    let server = hny_testkit::Redis::start();
    let links = links(&connect(&server).await, 1);
    let mut asked = links.ask(DomainId::BASE, &code("abc"));
    assert!(asked.is_in_time().await);
    server.pause();
    let mut asked = links.ask(DomainId::BASE, &code("abc"));
    assert!(!asked.is_in_time().await);
    assert_eq!(asked.answer(|_| ()).await, Err(Unavailable));
    server.resume();
}

#[tokio::test]
async fn a_deleted_link_is_known_to_be_deleted() {
    let server = hny_testkit::Redis::start();
    let links = links(&connect(&server).await, 1);
    let code = code("abc");
    announce(&links, &code).await;
    publish(&links, &code, 8, None).await;
    assert_eq!(find(&links, &code).await, Some(Known { version: Version(8), link: None }));
    // A fill that was under way is too late; a link that was made again is not.
    assert!(!fill(&links, &code, 7).await);
    assert!(fill(&links, &code, 9).await);
    assert_eq!(find(&links, &code).await, Some(known(9)));
}

#[tokio::test]
async fn between_announcement_and_publication_nothing_is_found_and_nothing_lands() {
    let server = hny_testkit::Redis::start();
    let nodes = [links(&connect(&server).await, 1), links(&connect(&server).await, 1)];
    let code = code("abc");
    assert!(fill(&nodes[0], &code, 7).await);
    announce(&nodes[0], &code).await;
    announce(&nodes[1], &code).await;
    assert_eq!(find(&nodes[1], &code).await, None);
    assert!(!fill(&nodes[1], &code, 7).await && !fill(&nodes[1], &code, 8).await);
    publish(&nodes[1], &code, 8, Some(lead(8))).await;
    // The other may have committed a later change, and be dead.
    assert_eq!(find(&nodes[1], &code).await, None);
    assert!(!fill(&nodes[1], &code, 8).await);
    let lifetime = server.command(&["PTTL", "test:1:link:0:abc"]);
    let lifetime: u64 = lifetime.trim_start_matches("(integer) ").parse().unwrap();
    assert!((1..=60_000).contains(&lifetime), "a change that is never published ends: {lifetime}");
    publish(&nodes[0], &code, 9, Some(lead(9))).await;
    assert_eq!(find(&nodes[1], &code).await, Some(known(9)));
}

#[tokio::test]
async fn a_change_of_which_nothing_came_lets_fills_land_again() {
    let server = hny_testkit::Redis::start();
    let links = links(&connect(&server).await, 1);
    let code = code("abc");
    assert!(fill(&links, &code, 7).await);
    announce(&links, &code).await;
    links.withdraw(DomainId::BASE, &code).await.unwrap();
    assert_eq!(find(&links, &code).await, None);
    assert!(!fill(&links, &code, 6).await && fill(&links, &code, 7).await);
    assert_eq!(find(&links, &code).await, Some(known(7)));
}

#[tokio::test]
async fn generations_and_runs_know_nothing_of_each_other() {
    let mut server = hny_testkit::Redis::start();
    let redis = connect(&server).await;
    let (run, code) = (redis.run().unwrap(), code("abc"));
    assert!(fill(&links(&redis, 1), &code, 7).await);
    assert_eq!(find(&links(&redis, 2), &code).await, None);
    assert!(redis.links(1, "another").is_none());
    server.save();
    server.kill();
    until(|| redis.run().is_none()).await;
    server.start_again();
    let again = redis.run_other_than(None).await;
    // It has the old dump, and nobody asks it for the old run.
    assert_eq!(server.command(&["EXISTS", "test:1:link:0:abc"]), "(integer) 1");
    assert!(again != run && redis.links(1, run.as_str()).is_none());
}

#[tokio::test]
async fn what_another_version_or_nobody_of_us_wrote_is_nothing() {
    let server = hny_testkit::Redis::start();
    let redis = connect(&server).await;
    let (links, code) = (links(&redis, 1), code("abc"));
    for text in ["", "x", "00000000000000000007 000 2{}", "00000000000000000007 000 1{\"link\":7}"] {
        server.command(&["SET", "test:1:link:0:abc", text, "EX", "60"]);
        assert_eq!(find(&links, &code).await, None, "{text:?}");
    }
    // A newer version of us, which knows of a later change: its word is not written over.
    server.command(&["SET", "test:1:link:0:abc", "00000000000000000009 000 2{}", "EX", "60"]);
    assert!(!fill(&links, &code, 8).await);
    publish(&links, &code, 10, Some(lead(10))).await;
    assert_eq!(find(&links, &code).await, Some(known(10)));
    // Not even a text: nothing is known by that, and those who ask at the same time do not suffer. Nor can it be written over,
    // which is one question without an answer, and no reason to give up Redis.
    server.command(&["DEL", "test:1:link:0:abc"]);
    server.command(&["RPUSH", "test:1:link:0:abc", "x"]);
    assert_eq!(find(&links, &code).await, None);
    assert!(links.fill(DomainId::BASE, &code, lead(11), NOW).await.is_err());
    assert!(redis.is_usable());
}

/// What two nodes do about one code.
#[derive(Debug, Clone, Copy)]
enum Step {
    /// The change with this number is announced, or, when it is, published.
    Change(u64),
    /// A fill lands that saw this state.
    Fill(u64),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![(1..6_u64).prop_map(Step::Change), (0..6_u64).prop_map(Step::Fill)];
    proptest::collection::vec(step, 1..24)
}

/// Does the steps; panics where an older state is found after a newer one, or one while a change is under way.
async fn go(links: &Links, code: &Code, steps: Vec<Step>) {
    let (mut announced, mut published, mut newest) = (BTreeSet::new(), BTreeSet::new(), None);
    for step in steps {
        match step {
            Step::Change(version) if published.contains(&version) => {}
            Step::Change(version) if announced.remove(&version) => {
                publish(links, code, version, Some(lead(version))).await;
                published.insert(version);
                newest = newest.max(Some(version));
            }
            Step::Change(version) => {
                announce(links, code).await;
                announced.insert(version);
            }
            Step::Fill(version) => {
                if fill(links, code, version).await {
                    assert!(announced.is_empty() && newest.is_none_or(|newest| version >= newest));
                    newest = Some(version);
                }
            }
        }
        let found = find(links, code).await;
        if announced.is_empty() {
            assert!(found.is_none() || found == newest.map(known));
        } else {
            assert_eq!(found, None);
        }
    }
    for version in announced {
        publish(links, code, version, Some(lead(version))).await;
        newest = newest.max(Some(version));
    }
    if let Some(newest) = newest {
        // It is there, or what the database says now lands.
        fill(links, code, newest).await;
        assert_eq!(find(links, code).await, Some(known(newest)));
    }
}

#[test]
fn in_whatever_order_only_the_newest_state_is_found() {
    let server = hny_testkit::Redis::start();
    let runtime = Runtime::new().unwrap();
    let links = runtime.block_on(async { links(&connect(&server).await, 1) });
    let number = Cell::new(0);
    let config = ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() };
    proptest!(config, |(steps in steps())| {
        number.set(number.get() + 1);
        runtime.block_on(go(&links, &code(&format!("c{}", number.get())), steps));
    });
}

#[tokio::test]
async fn without_redis_there_is_no_cache() {
    let mut server = hny_testkit::Redis::start();
    server.kill();
    let redis = open(&server);
    assert!(redis.run().is_none() && redis.links(1, "any").is_none());
}
