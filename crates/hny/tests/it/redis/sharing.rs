//! What nodes share while all is well.

use hny_testkit::DEADLINE;
use serde_json::json;

use super::{Cluster, leads_to, series, soon, until_paced, wait_for_hits};
use crate::postgres::replicas::{applied, replicated};
use crate::site::{self, Site};

const TARGET: &str = "https://example.com/a?b=%2F";
const OTHER: &str = "https://example.com/other";

#[test]
fn what_one_node_found_the_others_find_in_redis() {
    let cluster = Cluster::start();
    let (one, two) = (cluster.node(), cluster.forgetful_node());
    let path = one.admin().link(&json!({"originalUrl": TARGET}));
    wait_for_hits(&two, &path);
    let mut visitor = two.visitor();
    assert!(leads_to(&visitor.get(&path), TARGET));
    assert!(series(&two, "hny_redis_usable") > 0.5);
    // Absence has no version, so nobody finds it there.
    assert_eq!(visitor.get("/nobody").status, 404);
    let keys_with = |code: &str| cluster.redis.command(&["KEYS", &format!("*{code}*")]);
    assert_eq!(keys_with("nobody"), "(empty array)");
    assert!(keys_with(&path[1..]).contains(&path[1..]), "what is found is there by its code");
}

#[test]
fn a_change_is_seen_on_nodes_that_run_and_on_one_that_starts() {
    let cluster = Cluster::start();
    let (one, two, three) = (cluster.node(), cluster.node(), cluster.forgetful_node());
    let mut admin = one.admin();
    let path = admin.link(&json!({"originalUrl": TARGET, "customCode": "mine"}));
    wait_for_hits(&three, &path);
    let seen = |status: u16, target: Option<&str>| {
        let started = cluster.forgetful_node();
        for node in [&two, &three] {
            soon(&mut node.visitor(), &path, |answer| answer.status == status && answer.header("location") == target);
        }
        let first = started.visitor().get(&path);
        assert_eq!((first.status, first.header("location")), (status, target));
    };
    seen(302, Some(TARGET));
    assert_eq!(admin.edit(&path, &json!({"originalUrl": OTHER})).status, 200);
    seen(302, Some(OTHER));
    assert_eq!(admin.edit(&path, &json!({"active": false})).status, 200);
    seen(404, None);
    assert_eq!(admin.edit(&path, &json!({"active": true})).status, 200);
    seen(302, Some(OTHER));
    assert_eq!(admin.delete(&path).status, 204);
    seen(404, None);
    admin.link(&json!({"originalUrl": TARGET, "customCode": "mine"}));
    seen(302, Some(TARGET));
}

#[test]
fn what_a_replica_has_not_heard_of_does_not_come_into_redis() {
    let (primary, replica, program) = replicated("recovery_min_apply_delay = '5s'");
    let mut cluster = Cluster::over(program);
    let (one, two) = (cluster.node(), cluster.forgetful_node());
    let mut admin = one.admin();
    let path = admin.link(&json!({"originalUrl": TARGET}));
    assert!(leads_to(&two.visitor().get(&path), TARGET), "made on one, found on the other at once");
    wait_for_hits(&two, &path);
    until_paced(DEADLINE, || applied(&replica) == applied(&primary));
    // Redis comes back with nothing, and is filled from whoever answers.
    cluster.redis.kill();
    assert_eq!(admin.edit(&path, &json!({"originalUrl": OTHER})).status, 200);
    cluster.redis.start_again_empty();
    soon(&mut two.visitor(), &path, |answer| leads_to(answer, OTHER));
    wait_for_hits(&two, &path);
    assert!(leads_to(&two.visitor().get(&path), OTHER));
    assert!(leads_to(&cluster.forgetful_node().visitor().get(&path), OTHER));
}

#[test]
fn a_command_and_a_node_without_redis_change_what_the_others_share() {
    let cluster = Cluster::start();
    let (one, two) = (cluster.node(), cluster.forgetful_node());
    let path = one.admin().link(&json!({"originalUrl": TARGET}));
    wait_for_hits(&two, &path);
    let without = Site::start(&cluster.program.clone().without_env("HNY_REDIS_URL"));
    assert_eq!(without.admin().edit(&path, &json!({"originalUrl": OTHER})).status, 200);
    soon(&mut two.visitor(), &path, |answer| leads_to(answer, OTHER));
    // It has heard of nothing: what it finds, it finds in Redis or in the database.
    assert!(leads_to(&cluster.forgetful_node().visitor().get(&path), OTHER));
}

#[test]
fn a_file_of_sqlite_is_not_cached_in_redis() {
    let redis = hny_testkit::Redis::start();
    let site = Site::start(&site::program().env("HNY_REDIS_URL", redis.url()).env("HNY_CACHE_BYTES", "0"));
    let path = site.admin().link(&json!({"originalUrl": TARGET, "customCode": "mine"}));
    assert!(leads_to(&site.visitor().get(&path), TARGET));
    assert_eq!(redis.command(&["KEYS", "hny:*:link:*"]), "(empty array)");
}
