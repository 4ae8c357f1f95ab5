//! Redis is killed, stands still, comes back empty or with what it knew long ago, while visitors come and links change.

use hny_testkit::{DEADLINE, Postgres};
use serde_json::json;

use super::visitors::{Acknowledged, Visitor, target};
use super::{Cluster, leads_to, series, soon, until_paced, wait_for_hits};
use crate::caller::Caller;
use crate::site::{self, Site};

/// Nodes under load, and a link that changes.
struct Scene {
    cluster: Cluster,
    nodes: [Site; 2],
    visitors: Vec<Visitor>,
    acknowledged: Acknowledged,
    admin: Caller,
    path: String,
    number: u32,
}

impl Scene {
    fn start() -> Self {
        let cluster = Cluster::start();
        let nodes = [cluster.node(), cluster.forgetful_node()];
        let mut admin = nodes[0].admin();
        let path = admin.link(&json!({"originalUrl": target(1)}));
        wait_for_hits(&nodes[1], &path);
        let acknowledged = Acknowledged::default();
        let visitors = nodes.iter().map(|node| Visitor::start(node, &path, acknowledged.clone())).collect();
        Self { cluster, nodes, visitors, acknowledged, admin, path, number: 1 }
    }

    /// Changes the link some times; each time both nodes show it in time, the one that was asked at once.
    fn change(&mut self) {
        for _ in 0..3 {
            self.number += 1;
            let target = target(self.number);
            assert_eq!(self.admin.edit(&self.path, &json!({"originalUrl": target})).status, 200);
            self.acknowledged.another();
            assert!(leads_to(&self.nodes[0].visitor().get(&self.path), &target));
            soon(&mut self.nodes[1].visitor(), &self.path, |answer| leads_to(answer, &target));
        }
        self.go_and_return();
    }

    /// Another link is switched off and on, deleted and made again.
    fn go_and_return(&mut self) {
        let mut there = self.nodes[1].visitor();
        let path = self.admin.link(&json!({"originalUrl": target(0), "customCode": format!("mine{}", self.number)}));
        soon(&mut there, &path, |answer| leads_to(answer, &target(0)));
        assert_eq!(self.admin.edit(&path, &json!({"active": false})).status, 200);
        soon(&mut there, &path, |answer| answer.status == 404);
        assert_eq!(self.admin.edit(&path, &json!({"active": true})).status, 200);
        soon(&mut there, &path, |answer| answer.status == 302);
        assert_eq!(self.admin.delete(&path).status, 204);
        soon(&mut there, &path, |answer| answer.status == 404);
        self.admin.link(&json!({"originalUrl": target(7), "customCode": path[1..]}));
        soon(&mut there, &path, |answer| leads_to(answer, &target(7)));
    }

    /// A node that has heard of nothing shows the newest state at once.
    fn ask_a_new_node(&self) {
        let node = self.cluster.forgetful_node();
        let answer = node.visitor().get(&self.path);
        assert!(leads_to(&answer, &target(self.number)), "{answer:?}");
    }

    /// Returns when every node asks Redis, or when none does.
    fn wait_until_used(&self, is_used: bool) {
        for node in &self.nodes {
            until_paced(DEADLINE, || (series(node, "hny_redis_usable") > 0.5) == is_used);
        }
    }

    /// All is well again: changes are seen, Redis is used, and every visit until now was right.
    fn end(mut self) {
        self.wait_until_used(true);
        wait_for_hits(&self.nodes[1], &self.path);
        self.ask_a_new_node();
        self.change();
        self.ask_a_new_node();
        for visitor in self.visitors {
            assert!(visitor.stop() > 100, "there were no visitors");
        }
    }
}

#[test]
fn redis_is_killed_and_comes_back_empty() {
    let mut scene = Scene::start();
    scene.cluster.redis.kill();
    scene.change();
    scene.wait_until_used(false);
    scene.change();
    scene.ask_a_new_node();
    scene.cluster.redis.start_again_empty();
    scene.end();
}

#[test]
fn redis_comes_back_with_an_old_dump() {
    let mut scene = Scene::start();
    scene.cluster.redis.save();
    scene.change();
    scene.cluster.redis.kill();
    scene.cluster.redis.start_again();
    scene.ask_a_new_node();
    scene.end();
}

#[test]
fn redis_comes_back_with_what_it_knew_before_changes_that_it_missed() {
    let mut scene = Scene::start();
    scene.cluster.redis.save();
    scene.cluster.redis.kill();
    scene.change();
    scene.cluster.redis.start_again();
    scene.ask_a_new_node();
    scene.end();
}

#[test]
fn redis_stands_still_and_goes_on() {
    let mut scene = Scene::start();
    scene.cluster.redis.pause();
    scene.change();
    scene.wait_until_used(false);
    scene.change();
    // It has missed these changes, and still has what was before them.
    scene.cluster.redis.resume();
    scene.end();
}

#[test]
fn messages_are_lost() {
    let mut scene = Scene::start();
    for _ in 0..3 {
        scene.cluster.redis.command(&["CLIENT", "KILL", "TYPE", "pubsub"]);
        scene.change();
    }
    scene.end();
}

/// A node that dies at any moment leaves nothing that is no longer so.
#[test]
fn without_redis_another_generation_begins_by_the_commit_of_a_change() {
    let server = Postgres::start();
    let mut cluster = Cluster::over(site::program().env("HNY_DATABASE_URL", server.url("postgres")));
    let node = cluster.node();
    let mut admin = node.admin();
    let mine = json!({"originalUrl": target(1), "customCode": "mine"});
    let path = admin.link(&mine);
    wait_for_hits(&cluster.forgetful_node(), &path);
    cluster.redis.kill();
    let is_one_commit = || {
        let transactions = "SELECT g.xmin = l.xmin FROM cache_generation g, links l WHERE l.code = 'mine'";
        server.run("postgres", transactions) == "t"
    };
    assert_eq!(admin.edit(&path, &json!({"originalUrl": target(2)})).status, 200);
    assert!(is_one_commit(), "an edit");
    assert_eq!(admin.delete(&path).status, 204);
    assert!(is_one_commit(), "a deletion");
    admin.link(&mine);
    assert!(is_one_commit(), "a new link under the code of a deleted one");
}
