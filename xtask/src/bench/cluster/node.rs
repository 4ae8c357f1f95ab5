//! A started node, and what visits cost it.

use crate::bench::BenchError;
use crate::bench::figures::per_mille;
use crate::bench::processors::{Account, Accounts, Processors};
use crate::bench::server::BEFORE;
use bench_visitors::{Plan, Sample, Traffic, visit};
use hny_testkit::{Program, Running};
use std::time::Duration;

/// A node that answers. It is never stopped while another is measured, as it would lose its lease and its connections; a node
/// that nobody asks takes next to nothing.
pub(super) struct Node {
    running: Running,
    /// An API key, where links are made.
    key: String,
}

/// What one measurement saw; times in microseconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    pub(super) per_second: f64,
    /// Processor time of the node for each request.
    pub(super) own: f64,
    /// Processor time of the servers behind it for each request.
    pub(super) behind: f64,
    pub(super) p50: f64,
}

impl Node {
    /// On the first processor only, with one thread: as the redirects of other benches are measured.
    pub(super) fn alone(program: Program, processors: &Processors) -> Result<Self, BenchError> {
        let program = program.env("HNY_THREADS", "1");
        let running = processors.start(1, || program.start())?;
        Ok(Self { running, key: String::new() })
    }

    /// On all processors.
    pub(super) fn on_all(program: &Program, processors: &Processors) -> Result<Self, BenchError> {
        let running = processors.on_all(|| program.start())?;
        Ok(Self { running, key: String::new() })
    }

    /// Asked by those who have this key.
    pub(super) fn with_key(self, key: String) -> Self {
        Self { key, ..self }
    }

    pub(super) fn running(&self) -> &Running {
        &self.running
    }

    /// Has it asked for all that is to be asked for, however long that takes.
    pub(super) fn warm_up(&self, traffic: &mut Traffic) -> Result<(), BenchError> {
        visit(&self.plan(64), traffic, Duration::MAX)?;
        Ok(())
    }

    /// Has it visited for `time`, so many at once. `behind` are the processes of the servers that it asks.
    pub(super) fn measure(
        &self,
        at_once: usize,
        traffic: &mut Traffic,
        time: Duration,
        behind: &[u32],
    ) -> Result<Seen, BenchError> {
        let plan = self.plan(at_once);
        visit(&plan, traffic, BEFORE)?;
        let before = (Account::of(self.running.pid())?, Accounts::of(behind));
        let sample = visit(&plan, traffic, time)?;
        let own = before.0.until(&Account::of(self.running.pid())?).total;
        Ok(Seen::new(sample, own, before.1.until(&Accounts::of(behind))))
    }

    fn plan(&self, at_once: usize) -> Plan<'_> {
        // Who looks again and again takes the processor that the servers behind the node need.
        Plan { address: self.running.address(), connections: at_once, fresh: false, key: &self.key, watches: false }
    }
}

impl Seen {
    fn new(sample: Sample, own: Duration, behind: Duration) -> Self {
        let Sample { mut latencies, elapsed, .. } = sample;
        latencies.sort_unstable();
        let count = f64::from(u32::try_from(latencies.len()).unwrap_or(u32::MAX));
        let each = |time: Duration| time.as_secs_f64() * 1e6 / count;
        Self {
            per_second: count / elapsed.as_secs_f64(),
            own: each(own),
            behind: each(behind),
            p50: f64::from(per_mille(&latencies, 500)) / 1e3,
        }
    }
}

#[test]
fn times_are_those_of_each_request() {
    let sample =
        Sample { latencies: vec![3_000, 1_000, 2_000, 9_000], elapsed: Duration::from_secs(2), ..Sample::default() };
    let seen = Seen::new(sample, Duration::from_micros(40), Duration::from_micros(20));
    let figures = [seen.per_second, seen.own, seen.behind, seen.p50];
    assert!(figures.iter().zip([2.0, 10.0, 5.0, 2.0]).all(|(is, should)| (is - should).abs() < 1e-9), "{seen:?}");
}
