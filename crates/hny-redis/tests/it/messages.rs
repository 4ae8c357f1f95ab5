//! What nodes tell each other.

use hny_domain::{Code, DomainId, Lead, LinkId, Rules, Timestamp, Version};
use hny_redis::{Message, Redis};
use tokio::sync::mpsc::{self, UnboundedReceiver};

use crate::{connect, soon, until};

/// What `redis` hears from now on.
fn heard(redis: &Redis) -> UnboundedReceiver<Message> {
    let (sender, receiver) = mpsc::unbounded_channel();
    redis.subscribe(move |message| {
        let _ = sender.send(message.clone());
    });
    receiver
}

async fn publish(redis: &Redis, version: u64) {
    let links = redis.links(1, redis.run().unwrap().as_str()).unwrap();
    let now = Timestamp::from_millis(0);
    links.publish(DomainId::BASE, &Code::parse("abc").unwrap(), Version(version), None, now).await.unwrap();
}

#[tokio::test]
async fn every_node_hears_of_a_change() {
    let server = hny_testkit::Redis::start();
    let nodes = [connect(&server).await, connect(&server).await];
    let mut heard = nodes.each_ref().map(heard);
    server.command(&["PUBLISH", "test:changes", "something else"]);
    server.command(&["PUBLISH", "other:changes", "0 abc 6"]);
    publish(&nodes[0], 7).await;
    let expected = Message { domain: DomainId::BASE, code: Code::parse("abc").unwrap(), version: Version(7) };
    for heard in &mut heard {
        assert_eq!(soon(heard.recv()).await, Some(expected.clone()));
    }
}

#[tokio::test]
async fn every_node_hears_of_a_new_link() {
    let server = hny_testkit::Redis::start();
    let (here, there) = (connect(&server).await, connect(&server).await);
    let mut heard = heard(&there);
    let links = here.links(1, here.run().unwrap().as_str()).unwrap();
    let lead = Lead {
        link: LinkId(1),
        target: "https://example.com/",
        expired_url: None,
        rules: Rules::PLAIN,
        version: Version(9),
    };
    let code = Code::parse("abc").unwrap();
    assert_eq!(links.welcome(DomainId::BASE, &code, lead, Timestamp::from_millis(0)).await, Ok(true));
    assert_eq!(soon(heard.recv()).await.map(|message| message.version), Some(Version(9)));
    let links = there.links(1, there.run().unwrap().as_str()).unwrap();
    assert!(links.find(DomainId::BASE, &code, |found| assert_eq!(found, lead)).await.unwrap().is_some());
}

#[tokio::test]
async fn a_node_whose_connection_is_cut_hears_again() {
    let server = hny_testkit::Redis::start();
    let redis = connect(&server).await;
    let mut heard = heard(&redis);
    let run = redis.run();
    server.command(&["CLIENT", "KILL", "TYPE", "pubsub"]);
    until(|| !redis.is_usable()).await;
    soon(redis.run_other_than(None)).await;
    assert_eq!(redis.run(), run);
    publish(&redis, 8).await;
    assert_eq!(soon(heard.recv()).await.map(|message| message.version), Some(Version(8)));
}
