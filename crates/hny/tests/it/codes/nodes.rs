//! The nodes under which ids are made. Codes that are Snowflake ids show them.

use std::time::{Duration, Instant};

use hny_codes::Permutation;
use hny_codes::snowflake::{Id, Node};
use hny_testkit::Program;

use super::{KEY, TARGET, make, making};
use crate::site::Site;

/// How long the node of a process that died is kept from others.
const LEASE: Duration = Duration::from_secs(3);

/// What a busy machine may take for a start besides.
const START: Duration = Duration::from_secs(2);

fn fixed(program: Program) -> Program {
    program.env("HNY_DATACENTER_ID", "3").env("HNY_WORKER_ID", "7")
}

/// The id of a link that the site makes.
fn id(site: &Site) -> Id {
    let number = Permutation::new(KEY, 11).unwrap().invert(&make(site, TARGET)).unwrap();
    Id::try_from(number).unwrap()
}

fn node(site: &Site) -> Node {
    id(site).node()
}

#[test]
fn two_services_are_two_nodes() {
    let program = making("snowflake");
    let (one, two) = (Site::start(&program), Site::start(&program));
    assert_ne!(node(&one), node(&two));
}

#[test]
fn a_node_that_is_set_is_had() {
    let site = Site::start(&fixed(making("snowflake")));
    assert_eq!(node(&site), Node::new(3, 7).unwrap());
}

#[test]
fn a_node_that_is_taken_is_refused_by_name() {
    let program = fixed(making("random"));
    let site = Site::start(&program);
    let start = Instant::now();
    let Err(stopped) = program.try_start() else { panic!("both are one node") };
    let said = String::from_utf8(stopped.stderr).unwrap();
    assert_eq!(stopped.status.code(), Some(1), "{said}");
    assert!(["3/7", "taken", "HNY_DATACENTER_ID", "HNY_WORKER_ID"].iter().all(|word| said.contains(word)), "{said}");
    assert!(start.elapsed() < LEASE + START, "{:?}", start.elapsed());
    make(&site, TARGET);
}

#[test]
fn after_an_orderly_end_the_node_is_free_at_once() {
    let program = fixed(making("snowflake"));
    let mut site = Site::start(&program);
    let before = id(&site);
    site.stop();
    let start = Instant::now();
    let site = Site::start(&program);
    assert!(start.elapsed() < LEASE, "{:?}", start.elapsed());
    assert!(id(&site) > before);
}

#[test]
fn after_a_crash_the_node_is_free_within_three_seconds() {
    let program = fixed(making("snowflake"));
    let mut site = Site::start(&program);
    let before = id(&site);
    site.kill();
    let start = Instant::now();
    let site = Site::start(&program);
    assert!(start.elapsed() < LEASE + START, "{:?}", start.elapsed());
    assert!(id(&site) > before && node(&site) == before.node());
}

#[test]
fn after_a_crash_a_node_of_no_choice_starts_at_once() {
    let program = making("snowflake");
    let mut site = Site::start(&program);
    let before = node(&site);
    site.kill();
    let start = Instant::now();
    let site = Site::start(&program);
    assert!(start.elapsed() < LEASE, "{:?}", start.elapsed());
    assert_ne!(node(&site), before);
}

/// A process that is stopped for longer than a lease, and whose node somebody has taken, goes on as another.
#[test]
fn a_service_that_lost_its_node_goes_on_as_another() {
    let program = making("snowflake");
    let paused = Site::start(&program);
    let lost = id(&paused);
    paused.hny().pause_between_writes();
    let successor = program.clone().env("HNY_DATACENTER_ID", "0").env("HNY_WORKER_ID", "0");
    let successor = Site::start(&successor);
    assert_eq!(node(&successor), lost.node());
    paused.hny().resume();
    assert_ne!(node(&paused), lost.node());
    paused.hny().wait_for_line(|line| line.contains("another process has taken the node").then_some(()));
    assert_eq!(node(&successor), lost.node());
}

#[test]
fn a_service_keeps_its_node_while_it_is_idle() {
    let program = fixed(making("snowflake"));
    let site = Site::start(&program);
    let before = id(&site);
    // Twice as long as a lease: who asks for the node waits for the end of one each time.
    for _ in 0..2 {
        assert!(program.try_start().is_err(), "the node is taken");
    }
    assert_eq!(node(&site), before.node());
}
