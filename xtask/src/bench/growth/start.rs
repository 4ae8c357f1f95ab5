//! Starting on a file, as people do: how long until the program is ready, and what memory it has then.

use crate::bench::BenchError;
use crate::bench::figures::median;
use crate::bench::memory::Memory;
use crate::bench::server::Place;
use hny_testkit::{Client, DEADLINE, Program};
use std::time::{Duration, Instant};

/// What was seen of a start.
#[derive(Clone, Copy, Debug)]
pub(super) struct Start {
    pub(super) ready: Duration,
    pub(super) idle: Memory,
}

/// As many starts make one figure.
const STARTS: usize = 5;

/// The median start; memory is that of the last one.
pub(super) fn measure(place: &Place<'_>) -> Result<Start, BenchError> {
    let program = Program::new(&place.built.hny).in_folder(place.folder).env("HNY_LOG", "warn");
    let mut last = once(&program, place)?;
    let mut times = vec![last.ready.as_secs_f64()];
    for _ in 1..STARTS {
        last = once(&program, place)?;
        times.push(last.ready.as_secs_f64());
    }
    Ok(Start { ready: Duration::from_secs_f64(median(times.into_iter())), idle: last.idle })
}

fn once(program: &Program, place: &Place<'_>) -> Result<Start, BenchError> {
    let begun = Instant::now();
    let mut running = place.processors.start(1, || program.start())?;
    let status = Client::connect(running.address()).get("/readyz").status;
    let ready = begun.elapsed();
    if status != 200 {
        return Err(BenchError::NotReady(status));
    }
    let idle = Memory::of(running.pid())?;
    running.terminate();
    running.wait(DEADLINE);
    Ok(Start { ready, idle })
}
