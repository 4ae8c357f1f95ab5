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
pub(super) const LAST: Duration = Duration::from_millis(100);

/// As long for a program whose tracer killed it: the tracer makes everything slow, and when exactly it killed is not known.
const LAST_UNDER_TRACE: Duration = Duration::from_secs(1);

/// How often the program is killed at a random time.
const ROUNDS: usize = 8;

/// After how many more starts everything must be counted.
const MOST_STARTS: usize = 20;

/// How long it has run then: there are flushes at its beginning and every second.
const MILLISECONDS: std::ops::Range<u64> = 200..2500;

/// How many visitors there are. More would keep the program from its processors, which the promise is not about.
const VISITORS: usize = 2;

/// How long each visitor rests after an answer where clicks have to be counted meanwhile: at a peak that waits.
pub(super) const REST: Duration = Duration::from_micros(200);

/// The steps on the way of a click: a thread, a call of it, and the times at which the program is killed as it enters that.
const STEPS: &[(&str, &str, &[usize])] = &[
    // A segment is made, and blocks are written into it.
    ("hny-spool", "openat", &[1]),
    ("hny-spool", "pwrite64", &[1, 2, 9]),
    // They are brought to disk.
    ("hny-spool-sync", "fdatasync", &[1, 2]),
    // Frames into the log of the database, and its commits.
    ("hny-store-write", "pwrite64", &[1, 2, 3, 5, 9]),
    ("hny-store-write", "fsync,fdatasync", &[1, 2]),
    // A segment whose clicks are counted is removed, and there are more.
    ("hny-ship", "unlink", &[1, 2]),
];

/// A spool of so many bytes is made of so small segments that each second has one to remove.
const SPOOL_LIMIT: &str = "4MiB";

/// What is left of the spool of the process before is removed: file by file, and the folder.
const POINTS: &[(&str, &[usize])] = &[("unlink,unlinkat", &[1, 2, 3])];

/// How long a step may be waited for, which a busy machine comes to late.
const PATIENCE: Duration = DEADLINE;

/// Those who follow a link until nobody answers.
pub(super) struct Visitors(Vec<JoinHandle<(Vec<Instant>, usize)>>);

impl Visitors {
    /// Each of them rests so long after an answer.
    pub(super) fn start(hny: &Running, code: &str, rest: Duration) -> Self {
        let (address, path) = (hny.address(), format!("/{code}"));
        let follow = move || {
            let (mut answered, mut asked) = (Vec::new(), 0);
            let Ok(mut client) = Client::try_connect(address) else { return (answered, asked) };
            loop {
                asked += 1;
                let Ok(answer) = client.try_request("GET", &path, &[], b"") else { return (answered, asked) };
                assert_eq!(answer.status, 302, "{answer:?}");
                answered.push(Instant::now());
                thread::park_timeout(rest);
            }
        };
        Self((0..VISITORS).map(|_| thread::spawn(follow.clone())).collect())
    }

    /// How many clicks must be counted when the program was killed then, and how many can be.
    pub(super) fn finish(self, killed: Instant, last: Duration) -> (u64, u64) {
        let visitors = self.0.into_iter().map(|visitor| visitor.join().expect("every answer was right"));
        let (answered, asked): (Vec<_>, Vec<_>) = visitors.unzip();
        // It was dead some time before that was noticed, and alive when it answered.
        let killed = answered.iter().flatten().max().map_or(killed, |&answer| killed.min(answer));
        let early = |at: &&Instant| **at + last < killed;
        (answered.iter().flatten().filter(early).count() as u64, asked.iter().sum::<usize>() as u64)
    }
}

/// Counts what is left, and holds it against what was seen.
pub(super) fn assert_counted(program: &Program, counted: impl FnOnce() -> u64, seen: (u64, u64)) {
    count_the_rest(program);
    assert_within(counted(), seen);
}

/// Has nodes count what is left.
pub(super) fn count_the_rest(program: &Program) {
    // A node has some seconds at its end to hand over; a busy machine may need several nodes.
    let is_left = |_: &usize| stop(program.start()).contains("clicks are left in the spool");
    assert!((0..MOST_STARTS).take_while(is_left).count() < MOST_STARTS, "clicks are left for ever");
}

/// Asserts that no more were counted than can be, and no fewer than must be.
pub(super) fn assert_within(counted: u64, (least, most): (u64, u64)) {
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
        let visitors = Visitors::start(&hny, code, Duration::ZERO);
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
    let program = program().env("HNY_SPOOL_LIMIT", SPOOL_LIMIT);
    let (hny, code) = node(&program);
    stop(hny);
    let mut seen = vec![(code.clone(), kill_at_every_step(&program, &code, POINTS))];
    for (thread, calls, times) in STEPS {
        seen.extend(times.iter().map(|time| kill_thread_at(&program, (thread, calls, *time))));
    }
    count_the_rest(&program);
    for (code, seen) in seen {
        assert_within(counted(&program, &code), seen);
    }
}

/// Kills the program at a step of one of its threads while a link is followed that nobody follows otherwise, so that what one step loses is
/// not made up for by what another spares. The link, how many of its clicks must be counted, and how many can be.
fn kill_thread_at(program: &Program, (thread, calls, time): (&str, &str, usize)) -> (String, (u64, u64)) {
    let (mut hny, code) = node(program);
    let visitors = Visitors::start(&hny, &code, REST);
    // The first click is handed over at once. Behind it are clicks that no crash may lose any more.
    pass(3 * LAST);
    let tracer = hny.kill_at(Some(thread), calls, time);
    let status = hny.wait_at_most(PATIENCE);
    let killed = Instant::now();
    assert_eq!(status.and_then(|status| status.signal()), Some(9), "{thread} does not come to {calls} {time}");
    drop(tracer);
    (code, visitors.finish(killed, LAST))
}

/// Kills the program at each of these calls while a link is followed, also if it comes to one before it listens; how many clicks must be
/// counted, and how many can be. Each thread is counted by itself.
pub(super) fn kill_at_every_step(program: &Program, code: &str, points: &[(&str, &[usize])]) -> (u64, u64) {
    let (mut least, mut most) = (0, 0);
    let points = points.iter().flat_map(|(calls, times)| times.iter().map(move |time| (*calls, *time)));
    for (calls, time) in points {
        let fault = format!("{calls}:signal=SIGKILL:when={time}");
        let strace = Strace::of(calls).inject(&fault).command(&program.folder().join("trace"));
        let status = match program.clone().under(strace).try_start() {
            Ok(mut hny) => {
                let visitors = Visitors::start(&hny, code, Duration::ZERO);
                let status = hny.wait_at_most(PATIENCE);
                let killed = Instant::now();
                hny.kill();
                hny.wait(DEADLINE);
                let (early, asked) = visitors.finish(killed, LAST_UNDER_TRACE);
                (least, most) = (least + early, most + asked);
                status
            }
            Err(ended) => Some(ended.status),
        };
        assert_eq!(status.and_then(|status| status.signal()), Some(9), "it does not come to {calls} {time}");
    }
    (least, most)
}

/// Lets some time pass: to be random, or long, is all that it is for.
pub(crate) fn pass(time: Duration) {
    let (sender, never) = channel::<()>();
    assert!(never.recv_timeout(time).is_err());
    drop(sender);
}
