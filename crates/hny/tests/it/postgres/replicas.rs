//! Services that look up links in a replica.

use hny_testkit::{Client, Postgres, Program, Response};
use serde_json::json;

use super::{OTHER, TARGET, leads_to, soon};
use crate::instant::until_some;
use crate::site::Site;

/// A primary, a replica of it with these settings, and a program that uses both.
pub(crate) fn replicated(settings: &str) -> (Postgres, Postgres, Program) {
    let primary = Postgres::start();
    let program = Program::new(env!("CARGO_BIN_EXE_hny")).env("HNY_DATABASE_URL", primary.url("postgres"));
    // So that the replica has the tables from the beginning.
    assert!(program.run(["migrate"]).status.success());
    let replica = primary.replica(settings);
    let program = program.env("HNY_REPLICA_URLS", replica.url("postgres"));
    (primary, replica, program)
}

pub(crate) fn applied(server: &Postgres) -> String {
    server.run("postgres", "SELECT version FROM sequence")
}

#[test]
fn a_replica_that_lags_never_shows_what_is_no_longer_so() {
    let (primary, replica, program) = replicated("recovery_min_apply_delay = '5s'");
    let (one, two) = (Site::start(&program), Site::start(&program));
    let (mut admin, mut visitor) = (one.admin(), two.visitor());
    let path = admin.link(&json!({"originalUrl": TARGET, "customCode": "old"}));
    assert!(leads_to(&visitor.get(&path), TARGET), "made on one, found on the other at once");
    until_some(|| (applied(&replica) == applied(&primary)).then_some(()));

    let three = Site::start(&program);
    assert_eq!(admin.edit(&path, &json!({"originalUrl": OTHER})).status, 200);
    assert!(leads_to(&one.visitor().get(&path), OTHER), "on the node that made the change at once");
    soon(&mut visitor, &path, |answer| leads_to(answer, OTHER));
    soon(&mut three.visitor(), &path, |answer| leads_to(answer, OTHER));
    assert_eq!(admin.delete(&path).status, 204);
    soon(&mut visitor, &path, |answer| answer.status == 404);
    admin.link(&json!({"originalUrl": TARGET, "customCode": "old"}));
    soon(&mut visitor, &path, |answer| leads_to(answer, TARGET));
    assert_eq!(replica.run("postgres", "SELECT target FROM links WHERE code = 'old'"), TARGET);
    assert_eq!(replica.run("postgres", "SELECT version FROM links WHERE code = 'old'"), "1", "it had nothing of this");
    assert!(leads_to(&Site::start(&program).visitor().get(&path), TARGET), "a node that has just started");
}

#[test]
fn without_the_primary_redirects_go_on_and_changes_wait_for_it() {
    let (primary, replica, program) = replicated("");
    let site = Site::start(&program);
    let (mut admin, mut visitor) = (site.admin(), site.visitor());
    let paths: Vec<_> = (0..100).map(|_| admin.link(&json!({"originalUrl": TARGET}))).collect();
    let limited = admin.link(&json!({"originalUrl": TARGET, "maxClicks": 2}));
    assert!(leads_to(&visitor.get(&limited), TARGET));
    until_some(|| (applied(&replica) == applied(&primary)).then_some(()));
    primary.crash();
    for path in &paths {
        assert!(leads_to(&visitor.get(path), TARGET), "{path}");
    }
    let uncounted = visitor.get(&limited);
    assert_eq!((uncounted.status, uncounted.header("retry-after").is_some()), (503, true), "{uncounted:?}");
    assert_eq!(visitor.head(&limited).status, 503, "nobody can say whether there is one left");
    assert_eq!(visitor.get("/readyz").status, 200);
    assert_eq!(visitor.get("/nowhere").status, 503, "nobody can say that there is no such link");
    let refused = shorten(&mut visitor);
    assert_eq!((refused.status, refused.header("retry-after").is_some()), (503, true), "{refused:?}");
    primary.start_again();
    assert_makes_links_again(&mut visitor);
    until_some(|| leads_to(&visitor.get(&limited), TARGET).then_some(()));
    assert_eq!(visitor.get(&limited).status, 410);
}

fn assert_makes_links_again(visitor: &mut Client) {
    let made = until_some(|| Some(shorten(visitor)).filter(|made| made.status == 201));
    let path = format!("/{}", made.json()["shortCode"].as_str().unwrap());
    assert!(leads_to(&visitor.get(&path), TARGET));
}

fn shorten(visitor: &mut Client) -> Response {
    visitor.post_json("/api/shorten", &json!({"originalUrl": TARGET}))
}

#[test]
fn a_node_that_starts_without_the_primary_redirects_and_changes_wait_for_it() {
    let (primary, replica, program) = replicated("");
    // It has to ask the database for the number of a domain, for a number for each code, and whether its key is the right one.
    let program = program.env("HNY_DOMAINS", "go.example");
    let program = program.env("HNY_CODES", "permuted").env("HNY_CODE_KEY", "a secret of at least 32 characters");
    let path = Site::start(&program).admin().link(&json!({"originalUrl": TARGET}));
    until_some(|| (applied(&replica) == applied(&primary)).then_some(()));
    primary.crash();
    let node = program.start();
    let stranger = program.clone().env("HNY_CODE_KEY", "another secret of 32 characters, too").start();
    let mut visitor = Client::connect(node.address());
    until_some(|| (visitor.get("/readyz").status == 200).then_some(()));
    assert!(leads_to(&visitor.get(&path), TARGET));
    assert_eq!(visitor.get("/nowhere").status, 503, "nobody can say that there is no such link");
    let refused = shorten(&mut visitor);
    assert_eq!((refused.status, refused.header("retry-after").is_some()), (503, true), "{refused:?}");
    primary.start_again();
    assert_makes_links_again(&mut visitor);
    // Who would have been refused at its start makes no links now.
    let mut visitor = Client::connect(stranger.address());
    until_some(|| (visitor.get("/nowhere").status == 404).then_some(()));
    until_some(|| {
        (shorten(&mut visitor).status == 503 && stranger.stderr().contains("HNY_CODE_KEY: the codes")).then_some(())
    });
    assert_eq!(shorten(&mut visitor).status, 503);
    // And no command takes a replica for the database.
    primary.crash();
    let command = program.run(["shorten", TARGET]);
    assert!(String::from_utf8_lossy(&command.stderr).contains("cannot reach PostgreSQL"), "{command:?}");
}
