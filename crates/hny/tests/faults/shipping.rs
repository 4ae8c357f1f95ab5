//! Clicks on their way from Kafka to ClickHouse: each is there once, in the table and in what the views make of it, whoever of those on
//! the way goes away, and when.

mod road;

use std::os::unix::process::ExitStatusExt;
use std::time::{Duration, Instant};

use hny_testkit::DEADLINE;

use crate::admin::{Admin, new_key};
use crate::clicks::{follow, node, stop, until};
use road::Road;

/// How long a click may take on its way.
const LAG: Duration = Duration::from_secs(10);

/// The calls by which Kafka and ClickHouse are spoken to, each with the times at which the program is killed as it enters it. Each
/// thread is counted by itself: they are before the plan, between plan and block, within the block, before its end is committed.
const POINTS: &[(&str, &[usize])] = &[("sendmsg", &[2, 8, 12, 20]), ("writev,sendto", &[1, 2, 3])];

#[test]
fn what_a_node_answers_is_in_clickhouse_within_ten_seconds() {
    let road = Road::of("arrives", 3);
    let shipper = road.ship();
    let (hny, code) = node(&road.program);
    follow(&hny, &code, 1);
    // The first has the group begin, and has no deadline.
    road.wait_for(1);
    follow(&hny, &code, 200);
    let answered = Instant::now();
    road.wait_for(201);
    assert!(answered.elapsed() < LAG, "{:?}", answered.elapsed());
    road.assert_counted(201);
    stop(hny);
    assert!(stop(shipper).contains("stopped"));
}

#[test]
fn kills_at_every_step_count_each_click_once() {
    let road = Road::of("steps", 2);
    let points = POINTS.iter().flat_map(|(calls, times)| times.iter().map(move |time| (*calls, *time)));
    for (calls, time) in points {
        road.write(300);
        let mut shipper = road.ship();
        let tracer = shipper.kill_at(None, calls, time);
        let began = Instant::now();
        let status = shipper.wait_at_most(DEADLINE);
        println!("{calls} {time}: {:?}", began.elapsed());
        assert_eq!(status.and_then(|status| status.signal()), Some(9), "it does not come to {calls} {time}");
        drop(tracer);
    }
    road.ship_all();
}

#[test]
fn kills_between_plan_table_view_and_commit_count_each_click_once() {
    let road = Road::of("windows", 2);
    let kill = |road: &Road, there: u64| {
        let mut shipper = road.ship();
        shipper.wait_for_line(|line| line.contains("is sent again").then_some(()));
        road.wait_for(there);
        shipper.kill();
        shipper.wait(DEADLINE);
    };
    // The tables are made before inserts are refused.
    stop(road.ship());
    // Planned, and refused.
    road.write(200);
    road.clickhouse.refuse_inserts(1_000_000);
    kill(&road, 0);
    road.clickhouse.refuse_inserts(0);
    // All of it taken, and nobody was told.
    road.clickhouse.lose_answers(1_000_000);
    kill(&road, 200);
    road.clickhouse.lose_answers(0);
    road.ship_all();
    // In the table, and not behind a view.
    for view in ["click_quarters", "click_visitors"] {
        road.write(200);
        road.clickhouse.query(&format!("ALTER TABLE {view} ADD CONSTRAINT never CHECK link < 0"));
        kill(&road, road.written());
        road.clickhouse.query(&format!("ALTER TABLE {view} DROP CONSTRAINT never"));
        road.ship_all();
    }
}

#[test]
fn shippers_that_come_and_go_share_the_partitions_and_count_each_click_once() {
    let road = Road::of("shared", 4);
    // So that much is under way whenever partitions change hands.
    road.clickhouse.slow_inserts(700);
    road.write(400);
    let first = road.ship();
    first.wait_for_line(|line| line.contains("ships a partition").then_some(()));
    let mut second = road.ship();
    road.write(400);
    second.wait_for_line(|line| line.contains("ships a partition").then_some(()));
    let third = road.ship();
    road.write(400);
    second.kill();
    second.wait(DEADLINE);
    road.write(400);
    stop(first);
    road.clickhouse.slow_inserts(0);
    road.wait_for(road.written());
    road.assert_counted(road.written());
    stop(third);
}

#[test]
fn an_engine_and_a_kafka_that_are_killed_count_each_click_once() {
    let mut road = Road::with_own_kafka("crashes", 2);
    let shipper = road.ship();
    for round in 0..3 {
        road.write(3_000);
        road.clickhouse.kill();
        if round > 0 {
            road.crash_kafka();
        }
        road.clickhouse.start_again();
        road.write(500);
    }
    road.wait_for(road.written());
    road.assert_counted(road.written());
    stop(shipper);
}

#[test]
fn what_is_no_click_is_kept_aside_and_holds_nobody_up() {
    let road = Road::of("poison", 1);
    road.write(10);
    let later = road.message(999).replace("\"schema\":1", "\"schema\":2");
    road.write_text(&["", "no JSON", "{\"schema\":1}", &later]);
    road.write(10);
    let shipper = road.ship();
    road.wait_for(20);
    // How many there are by now is told whenever there is one more.
    let told = |dead: u64| {
        let total = format!("dead={dead} ");
        shipper.wait_for_line(|line| (line.contains("are kept aside") && line.contains(&total)).then_some(()));
    };
    told(4);
    road.write_text(&["no JSON either"]);
    told(5);
    let said = stop(shipper);
    assert!(said.contains("dead=5\n"), "at the end, too: {said}");
    let dead: Vec<_> = road.read_dead().into_iter().map(|record| record.value).collect();
    assert_eq!(dead, ["", "no JSON", "{\"schema\":1}", &later, "no JSON either"]);
    road.assert_counted(20);
}

#[test]
fn clicks_of_a_deleted_link_vanish_and_late_ones_do_not_come() {
    let road = Road::of("deleted", 1);
    road.write(50);
    let shipper = road.ship();
    road.wait_for(50);
    let hny = road.program.start();
    let deleted = Admin::connect(&hny, &new_key(&road.program)).delete(&road.code);
    assert_eq!(deleted.status, 204, "{deleted:?}");
    road.wait_for(0);
    until(|| road.counts()[..2] == ["0", "0"].map(str::to_owned));
    road.write(50);
    let there = road.write_of_other_link(1);
    road.wait_for(there);
    stop(hny);
    stop(shipper);
    road.assert_counted(there);
}
