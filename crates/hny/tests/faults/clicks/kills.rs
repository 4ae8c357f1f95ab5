//! `kill -9` under load, at random times and at every step from a click to its count.

use std::os::unix::process::ExitStatusExt;
use std::sync::mpsc::channel;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use hny_testkit::{Client, DEADLINE, Program, Running, Strace};
use rand::RngExt;

use super::{counted, node, stop};
use crate::program;

/// What a crash may lose: what was answered so shortly before it.
const LAST: Duration = Duration::from_millis(100);

/// How often the program is killed at a random time.
const ROUNDS: usize = 8;

/// After how many more starts everything must be counted.
const MOST_STARTS: usize = 20;

/// How long it has run then: there are flushes at its beginning and every second.
const MILLISECONDS: std::ops::Range<u64> = 200..2500;

/// How many visitors there are. More would keep the program from its processors, which the promise is not about.
const VISITORS: usize = 2;

/// The calls on the way of a click, each with the times at which the program is killed as it enters it. Each thread is counted by
/// itself.
const POINTS: &[(&str, &[usize])] = &[
    // Blocks into the spool, frames into the log of the database.
    ("pwrite64", &[1, 2, 3, 5, 9, 15, 16, 17, 30]),
    // The spool of the process before is gone, or half of it.
    ("unlink,unlinkat", &[1, 2, 3]),
    ("fsync,fdatasync", &[3, 4, 5]),
];

/// Those who follow a link until nobody answers.
struct Visitors(Vec<JoinHandle<(Vec<Instant>, usize)>>);

impl Visitors {
    fn start(hny: &Running, code: &str) -> Self {
        let (address, path) = (hny.address(), format!("/{code}"));
        let follow = move || {
            let (mut answered, mut asked) = (Vec::new(), 0);
            let Ok(mut client) = Client::try_connect(address) else { return (answered, asked) };
            loop {
                asked += 1;
                let Ok(answer) = client.try_request("GET", &path, &[], b"") else { return (answered, asked) };
                assert_eq!(answer.status, 302, "{answer:?}");
                answered.push(Instant::now());
            }
        };
        Self((0..VISITORS).map(|_| thread::spawn(follow.clone())).collect())
    }

    /// How many clicks must be counted when the program was killed then, and how many can be.
    fn finish(self, killed: Instant, last: Duration) -> (u64, u64) {
        let visitors = self.0.into_iter().map(|visitor| visitor.join().expect("every answer was right"));
        let (answered, asked): (Vec<_>, Vec<_>) = visitors.unzip();
        let early = |at: &&Instant| **at + last < killed;
        (answered.iter().flatten().filter(early).count() as u64, asked.iter().sum::<usize>() as u64)
    }
}

/// Counts what is left, and holds it against what was seen.
pub(super) fn assert_counted(program: &Program, counted: impl FnOnce() -> u64, (least, most): (u64, u64)) {
    // A node has some seconds at its end to hand over; a busy machine may need several nodes.
    let is_left = |_: &usize| stop(program.start()).contains("clicks are left in the spool");
    assert!((0..MOST_STARTS).take_while(is_left).count() < MOST_STARTS, "clicks are left for ever");
    let counted = counted();
    println!("{counted} counted, {least} to {most} expected");
    assert!(counted <= most, "{counted} counted, and at most {most} asked");
    assert!(counted >= least, "{counted} counted, and {least} answered in time");
}

#[test]
fn kills_at_random_times_lose_the_last_100_ms_at_most_and_count_none_twice() {
    let program = program();
    let (hny, code) = node(&program);
    stop(hny);
    let seen = kill_at_random(&program, &code);
    assert_counted(&program, || counted(&program, &code), seen);
}

/// Kills the program at random times while a link is followed; how many clicks must be counted, and how many can be.
pub(super) fn kill_at_random(program: &Program, code: &str) -> (u64, u64) {
    let (mut least, mut most) = (0, 0);
    for _ in 0..ROUNDS {
        let mut hny = program.start();
        let visitors = Visitors::start(&hny, code);
        pass(Duration::from_millis(rand::rng().random_range(MILLISECONDS)));
        let killed = Instant::now();
        hny.kill();
        hny.wait(DEADLINE);
        let (early, asked) = visitors.finish(killed, LAST);
        (least, most) = (least + early, most + asked);
    }
    assert!(least > 100, "hardly anybody was answered");
    (least, most)
}

#[test]
fn kills_at_every_step_from_a_click_to_its_count_count_none_twice() {
    let program = program();
    let (hny, code) = node(&program);
    stop(hny);
    let seen = kill_at_every_step(&program, &code, POINTS);
    assert_counted(&program, || counted(&program, &code), seen);
}

/// Kills the program at each of these calls while a link is followed; how many clicks must be counted, and how many can be.
pub(super) fn kill_at_every_step(program: &Program, code: &str, points: &[(&str, &[usize])]) -> (u64, u64) {
    let (mut least, mut most, mut kills) = (0, 0, 0);
    let points = points.iter().flat_map(|(calls, times)| times.iter().map(move |time| (*calls, *time)));
    for (calls, time) in points {
        let fault = format!("{calls}:signal=SIGKILL:when={time}");
        let strace = Strace::of(calls).inject(&fault).command(&program.folder().join("trace"));
        // It writes a little before it listens, too.
        if let Ok(mut hny) = program.clone().under(strace).try_start() {
            let visitors = Visitors::start(&hny, code);
            // What is not met in this time is not met at all.
            let status = hny.wait_at_most(Duration::from_secs(5));
            let killed = Instant::now();
            kills += usize::from(status.is_some_and(|status| status.signal() == Some(9)));
            hny.kill();
            hny.wait(DEADLINE);
            // The tracer makes everything slow, and when exactly it killed is not known.
            let (early, asked) = visitors.finish(killed, 10 * LAST);
            (least, most) = (least + early, most + asked);
        }
    }
    println!("{kills} kills at a step");
    assert!(kills >= 5, "most steps are met");
    (least, most)
}

/// Lets some time pass: to be random, or long, is all that it is for.
pub(crate) fn pass(time: Duration) {
    let (sender, never) = channel::<()>();
    assert!(never.recv_timeout(time).is_err());
    drop(sender);
}
