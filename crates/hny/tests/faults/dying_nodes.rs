//! `kill -9` of nodes on one PostgreSQL at random moments, while callers go on with the other node: what was acknowledged is in the
//! database, and nothing is there twice.

use std::time::Instant;

use hny_testkit::{DEADLINE, Postgres, Running};
use rand::RngExt;
use rand::rngs::StdRng;

use crate::admin::new_key;
use crate::ledger::Ledger;
use crate::load::Load;
use crate::{chance, program};

/// How many links are made under each scheme, at least.
const LINKS: usize = 4000;

/// How often a node is killed under each scheme.
const KILLS: usize = 12;

#[test]
fn what_was_acknowledged_is_in_the_database_once_under_every_scheme() {
    let (mut random, server) = (chance::seeded(), Postgres::start());
    for scheme in ["random", "permuted", "counter", "snowflake", "hash"] {
        let start = Instant::now();
        let ledger = make_links(scheme, &server, &mut random);
        let (made, lost) = (ledger.acknowledged(), ledger.doubtful());
        println!("{scheme}: {made} acknowledged, {lost} not answered, {KILLS} kills, {:?}", start.elapsed());
        assert!(made >= LINKS);
        assert!(lost > 0, "no kill has hit anybody");
    }
}

/// Has links made with codes of `scheme` while nodes are killed; they have been looked at.
fn make_links(scheme: &str, server: &Postgres, random: &mut StdRng) -> Ledger {
    let database = server.new_database();
    let program = program().env("HNY_DATABASE_URL", server.url(&database));
    let program = program.env("HNY_CODES", scheme).env("HNY_CODE_KEY", "a secret of at least 32 characters");
    let key = new_key(&program);
    let mut nodes = [program.start(), program.start()];
    let load = Load::on_either([nodes[0].address(), nodes[1].address()], scheme, &key);
    let mut made = 0;
    for _ in 0..KILLS {
        // Those that were made while a node started.
        made += load.news();
        made += chance::wait_for_a_moment(&load, random);
        kill_and_start_again(&mut nodes[random.random_range(0..2)]);
    }
    load.wait_for(LINKS.saturating_sub(made));
    let mut ledger = Ledger::default();
    ledger.note(load.finish());
    ledger.check_rows(&server.run(&database, "SELECT code, target FROM links WHERE deleted_at IS NULL"));
    for node in &nodes {
        ledger.check(node);
    }
    ledger
}

fn kill_and_start_again(node: &mut Running) {
    node.kill();
    assert!(!node.wait(DEADLINE).success());
    node.start_again();
}
