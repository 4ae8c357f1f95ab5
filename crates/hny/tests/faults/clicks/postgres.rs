//! A node whose clicks go to PostgreSQL, killed at every step of what it writes there. The server has it wait at the step, so it is met
//! for certain, whatever the machine does.

use std::time::Instant;

use hny_testkit::{DEADLINE, Postgres, Program};

use super::kills::{LAST, REST, Visitors, assert_counted, pass};
use super::{counted, node, stop, until};
use crate::program;

/// A step, as the trigger that has the node wait there, and whether there are more clicks in the database after it; `None` where that
/// depends on what was left behind.
struct Step {
    trigger: &'static str,
    table: &'static str,
    is_done: Option<bool>,
}

const STEPS: &[Step] = &[
    // The position has not moved.
    Step { trigger: "TRIGGER gate BEFORE UPDATE ON spools", table: "spools", is_done: Some(false) },
    // It has, and no click is written.
    Step { trigger: "TRIGGER gate BEFORE INSERT ON clicks", table: "clicks", is_done: Some(false) },
    // They are, and they are not counted.
    Step { trigger: "TRIGGER gate BEFORE INSERT ON click_quarters", table: "click_quarters", is_done: Some(false) },
    // All is done but the commit, which takes place without the node: nobody hears the answer.
    Step {
        trigger: "CONSTRAINT TRIGGER gate AFTER INSERT OR UPDATE ON click_lanes DEFERRABLE INITIALLY DEFERRED",
        table: "click_lanes",
        is_done: Some(true),
    },
    // All clicks of a spool that was left behind are there and its files are gone, and it is not forgotten.
    Step { trigger: "TRIGGER gate BEFORE DELETE ON spools", table: "spools", is_done: None },
];

/// Whoever writes a row where this is set waits for a table.
const GATE: &str = "
    CREATE TABLE gate ();
    CREATE FUNCTION pass() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM FROM gate; RETURN coalesce(NEW, OLD); END $$";

/// A server, and a program whose clicks it counts.
struct Setup {
    server: Postgres,
    program: Program,
    code: String,
}

impl Setup {
    fn new() -> Self {
        let server = Postgres::start();
        let program = program().env("HNY_DATABASE_URL", server.url("postgres")).env("HNY_SPOOL_DIR", "spool");
        let (hny, code) = node(&program);
        stop(hny);
        server.run("postgres", GATE);
        Self { server, program, code }
    }

    fn run(&self, sql: &str) -> String {
        self.server.run("postgres", sql)
    }

    /// How many clicks are there, once no node is connected any more: what a dead one has sent is done or undone then.
    fn clicks(&self) -> u64 {
        until(|| self.run("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'hny'") == "0");
        self.run("SELECT count(*) FROM clicks").parse().expect("it is a number")
    }

    /// Kills a node at a step while the link is followed; how many clicks must be counted, and how many can be.
    fn kill_at(&self, Step { trigger, table, is_done }: &Step) -> (u64, u64) {
        let before = self.clicks();
        self.run(&format!("CREATE {trigger} FOR EACH ROW EXECUTE FUNCTION pass()"));
        let gate = self.server.hold_table("postgres", "gate");
        let mut hny = self.program.start();
        let visitors = Visitors::start(&hny, &self.code, REST);
        gate.wait_for_somebody();
        // So that some of what is answered was answered early enough.
        pass(5 * LAST);
        let killed = Instant::now();
        hny.kill();
        hny.wait(DEADLINE);
        let seen = visitors.finish(killed, LAST);
        drop(gate);
        assert!(is_done.is_none_or(|is_done| is_done == (self.clicks() > before)), "{trigger}");
        self.run(&format!("DROP TRIGGER gate ON {table}"));
        seen
    }
}

#[test]
fn a_node_that_is_killed_at_every_step_of_a_batch_counts_each_click_once() {
    let setup = Setup::new();
    let seen = STEPS.iter().map(|step| setup.kill_at(step));
    let (least, most) = seen.fold((0, 0), |all, seen| (all.0 + seen.0, all.1 + seen.1));
    assert!(least > 100, "hardly anybody was answered");
    assert_counted(&setup.program, || counted(&setup.program, &setup.code), (least, most));
}
