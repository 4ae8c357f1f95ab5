//! `kill -9` at any point: what was acknowledged is there, what was not is there wholly or not at all.

use std::os::unix::process::ExitStatusExt;
use std::process::Output;

use hny_testkit::{Client, DEADLINE, Program, Running, Strace};

use crate::admin::{Admin, new_key};
use crate::ledger::Ledger;
use crate::load::Load;
use crate::{chance, program, visit};

const SIGKILL: i32 = 9;

/// How often the program is killed at a random time.
const RANDOM_KILLS: usize = 12;

/// The calls of a commit, each with the times at which the program is killed as it enters it. The threads that commit and
/// that answer are counted each by itself.
const POINTS: &[(&str, &[usize])] = &[
    // A frame of the log is two writes, a commit five frames or more. At 1,000 pages the log is copied into the database.
    ("pwrite64", &[1, 2, 4, 9, 10, 11, 25, 80, 2100]),
    // Before the log is on disk.
    ("fsync,fdatasync", &[1, 2, 7, 20]),
    // After it is, before anybody is told: waking who waits, and answering.
    ("write", &[150]),
    ("writev,sendto", &[1, 40]),
];

/// The calls with which a new database begins.
const FIRST_POINTS: &[(&str, &[usize])] = &[("pwrite64", &[1, 2, 5, 12, 25]), ("fsync,fdatasync", &[1, 2, 4])];

#[test]
fn what_was_acknowledged_survives_kills_at_random_times() {
    let mut random = chance::seeded();
    let mut crashes = Crashes::new();
    for round in 0..RANDOM_KILLS {
        let hny = crashes.program.start();
        let load = Load::start(hny.address(), &format!("random{round}"));
        chance::wait_for_a_moment(&load, &mut random);
        hny.kill();
        crashes.take_in(hny, load);
    }
    crashes.assert_kills(RANDOM_KILLS);
}

#[test]
fn what_was_acknowledged_survives_kills_at_every_step_of_a_commit() {
    let mut crashes = Crashes::new();
    let points = points(POINTS);
    for (calls, time) in &points {
        match crashes.program.clone().under(killed_at(calls, *time, &crashes.program)).try_start() {
            Ok(hny) => {
                let load = Load::start(hny.address(), &format!("{}-{time}", calls.replace(',', "-")));
                crashes.take_in(hny, load);
            }
            // It writes a little before it listens, too.
            Err(output) => crashes.take_in_start(&output),
        }
    }
    crashes.assert_kills(points.len());
}

#[test]
fn a_database_whose_making_was_cut_short_is_made_by_the_next_start() {
    for (calls, time) in points(FIRST_POINTS) {
        let program = program();
        let killed = program.clone().under(killed_at(calls, time, &program)).try_start();
        let ended = killed.err().unwrap_or_else(|| panic!("{calls} {time}: it lives"));
        assert_eq!(ended.status.signal(), Some(SIGKILL), "{calls} {time}: {ended:?}");
        let hny = program.start();
        let mut client = Client::connect(hny.address());
        let code = visit::shorten(&mut client, "https://example.com/");
        assert_eq!(visit::target(&mut client, &code).as_deref(), Some("https://example.com/"), "{calls} {time}");
    }
}

/// One database, through many crashes.
struct Crashes {
    program: Program,
    key: String,
    ledger: Ledger,
    kills: usize,
}

impl Crashes {
    fn new() -> Self {
        let program = program();
        let key = new_key(&program);
        Self { program, key, ledger: Ledger::default(), kills: 0 }
    }

    /// Waits for the crash, notes what the load has seen of it, and looks at what a new start finds.
    fn take_in(&mut self, mut hny: Running, load: Load) {
        assert_eq!(hny.wait(DEADLINE).signal(), Some(SIGKILL));
        self.kills += 1;
        self.ledger.note(load.finish());
        self.check();
    }

    /// As [`take_in`](Self::take_in), for a crash before anybody was served.
    fn take_in_start(&mut self, output: &Output) {
        assert_eq!(output.status.signal(), Some(SIGKILL), "{output:?}");
        self.kills += 1;
        self.check();
    }

    /// Every link is as it should be, there are not more of them than were asked for, and one more can be made.
    fn check(&mut self) {
        let hny = self.program.start();
        let (least, most) = self.ledger.check(&hny);
        let made =
            Admin::connect(&hny, &self.key).create(&format!("after-crash-{}", self.kills), "https://example.com/");
        // Every link took one version, and nothing else did.
        let version = visit::created(&made)["version"].as_u64().expect("a version is a number");
        let before = usize::try_from(version).expect("links can be counted") - self.kills;
        assert!((least..=most).contains(&before), "{before} links, not {least} to {most}");
    }

    fn assert_kills(&self, expected: usize) {
        println!("{} kills, {} acknowledged links", self.kills, self.ledger.acknowledged());
        assert_eq!(self.kills, expected);
        assert!(self.ledger.acknowledged() > expected, "hardly anything was acknowledged");
    }
}

fn points(table: &'static [(&str, &[usize])]) -> Vec<(&'static str, usize)> {
    table.iter().flat_map(|(calls, times)| times.iter().map(move |time| (*calls, *time))).collect()
}

/// The words to start a program under a tracer that kills it as a thread enters one of the calls for this time.
fn killed_at(calls: &str, time: usize, program: &Program) -> Vec<std::ffi::OsString> {
    let fault = format!("{calls}:signal=SIGKILL:when={time}");
    Strace::of(calls).inject(&fault).command(&program.folder().join("trace"))
}
