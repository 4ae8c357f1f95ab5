//! A link that may be followed so many times only, on several nodes that all have it in their caches.

use std::sync::Barrier;
use std::thread;

use hny_testkit::Client;
use serde_json::json;

use super::{Cluster, leads_to};
use crate::caller::Caller;
use crate::site::Site;

const TARGET: &str = "https://example.com/only-five";
const LIMIT: usize = 5;
const VISITORS: usize = 100;
const TIMES: usize = 20;

/// A new link with a limit, which all nodes have in their caches: a HEAD uses none up.
fn warm_link(admin: &mut Caller, nodes: &[Site]) -> String {
    let path = admin.link(&json!({"originalUrl": TARGET, "maxClicks": LIMIT}));
    for node in nodes {
        for _ in 0..2 {
            assert_eq!(node.visitor().head(&path).status, 302);
        }
    }
    path
}

#[test]
fn of_a_hundred_visits_at_once_exactly_five_go() {
    let cluster = Cluster::start();
    let nodes = [cluster.node(), cluster.node()];
    let mut admin = nodes[0].admin();
    let paths: Vec<_> = (0..TIMES).map(|_| warm_link(&mut admin, &nodes)).collect();
    let start = Barrier::new(VISITORS);
    let follow = |mut visitor: Client| -> Vec<bool> {
        let went = |path: &String| {
            start.wait();
            let answer = visitor.get(path);
            let has_gone = leads_to(&answer, TARGET);
            assert!(has_gone || answer.status == 410, "{answer:?}");
            has_gone
        };
        paths.iter().map(went).collect()
    };
    let went: Vec<Vec<bool>> = thread::scope(|scope| {
        let visitors: Vec<_> = (0..VISITORS).map(|number| nodes[number % 2].visitor()).collect();
        let running: Vec<_> = visitors.into_iter().map(|visitor| scope.spawn(|| follow(visitor))).collect();
        running.into_iter().map(|visitor| visitor.join().expect("a visitor")).collect()
    });
    for (time, path) in paths.iter().enumerate() {
        assert_eq!(went.iter().filter(|went| went[time]).count(), LIMIT, "time {time}");
        let link = admin.read(path).json();
        assert_eq!((&link["clicksUsed"], &link["state"]), (&json!(LIMIT), &json!("used-up")));
    }
}
