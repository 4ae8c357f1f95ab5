//! A link that ends while Redis has it.

use hny_testkit::DEADLINE;
use serde_json::json;

use super::{Cluster, until_paced, wait_for_hits};
use crate::instant::{millis_ahead, now};
use crate::site::Site;

#[test]
fn a_link_ends_at_its_instant_wherever_the_nodes_are() {
    let cluster = Cluster::start();
    let in_zone = |zone| Site::start(&cluster.program.clone().env("HNY_CACHE_BYTES", "0").env("TZ", zone));
    let nodes = [in_zone("America/St_Johns"), in_zone("Asia/Kathmandu")];
    let end = millis_ahead(2500);
    let fields = json!({"originalUrl": "https://example.com/", "expiresAt": end.to_string()});
    let path = nodes[0].admin().link(&fields);
    for node in &nodes {
        wait_for_hits(node, &path);
    }
    for node in &nodes {
        let mut visitor = node.visitor();
        until_paced(DEADLINE, || {
            let before = now();
            let status = visitor.get(&path).status;
            match status {
                302 => assert!(before < end, "it went on at {before}, after {end}"),
                410 => assert!(now() >= end, "it was gone before {end}"),
                _ => panic!("{status}"),
            }
            status == 410
        });
    }
    // And Redis still has it.
    let keys = cluster.redis.command(&["KEYS", &format!("*:link:0:{}", &path[1..])]);
    assert!(keys.contains(&path[1..]), "{keys}");
}
