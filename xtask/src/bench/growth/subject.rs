//! One size: its file, its servers, and what was measured of them.

use super::start::{self, Start};
use crate::bench::memory::Memory;
use crate::bench::server::{Place, Server, Which};
use crate::bench::{BenchError, create, seeded};
use bench_visitors::{Draw, Plan, Traffic, links, visit};
use hny_testkit::Program;
use std::time::Duration;

/// As many links are asked for again and again, at every size: what grows is the file, not the part of it that is used.
const HOT: u64 = 10_000;

/// As many links are put into the cache to see how much memory each takes.
const CACHED: u64 = 1_000_000;

/// A file with so many links, and two servers on it.
pub(super) struct Subject {
    pub(super) links: u64,
    pub(super) file_bytes: u64,
    pub(super) start: Start,
    /// Memory when the cache is warm.
    pub(super) warm: Memory,
    /// Bytes of its own that the program took for each link in the cache, without the target.
    pub(super) bytes_a_link: f64,
    hot: Measured,
    cold: Measured,
    key: String,
    /// Links made in a second, one figure for each round.
    pub(super) created: Vec<f64>,
}

/// A server, what is asked of it, and the microseconds of processor time for each request, one figure for each round.
struct Measured {
    server: Server,
    traffic: Traffic,
    micros: Vec<f64>,
}

impl Subject {
    pub(super) fn start(links: u64, place: &Place<'_>) -> Result<Self, BenchError> {
        let file = seeded::copy(place.built, links, place.folder)?;
        let file_bytes = std::fs::metadata(&file).map_or(0, |file| file.len());
        let key = create::key(&Program::new(&place.built.hny).in_folder(place.folder))?;
        let start = start::measure(place)?;
        let cached = CACHED.min(links);
        // Clicks that wait to be counted would be taken for what the links take.
        let (before, after) = fill(&Server::start(Which::Uncounted, place)?, &key, cached)?;
        let hot = Server::start(Which::Hny, place)?;
        let (_, warm) = fill(&hot, &key, cached)?;
        hot.sleep()?;
        let cold = Server::start(Which::Bare, place)?;
        cold.sleep()?;
        Ok(Self {
            links,
            file_bytes,
            start,
            warm,
            bytes_a_link: above_target(after.own.saturating_sub(before.own), cached),
            hot: Measured::new(hot, Draw::Any(HOT.min(links))),
            cold: Measured::new(cold, Draw::Any(links)),
            key,
            created: Vec::new(),
        })
    }

    /// One round of visits.
    pub(super) fn redirects(&mut self, time: Duration) -> Result<(), BenchError> {
        self.hot.measure(&self.key, time)?;
        self.cold.measure(&self.key, time)
    }

    /// One round of new links.
    pub(super) fn creates(&mut self, time: Duration) -> Result<(), BenchError> {
        let server = &self.hot.server;
        let (sample, _) = server.measure(&plan(server, &self.key), &mut Traffic::new(Draw::One, 100), time)?;
        self.created.push(count(&sample.latencies) / sample.elapsed.as_secs_f64());
        Ok(())
    }

    pub(super) fn hot(&self) -> &[f64] {
        &self.hot.micros
    }

    pub(super) fn cold(&self) -> &[f64] {
        &self.cold.micros
    }
}

impl Measured {
    fn new(server: Server, draw: Draw) -> Self {
        Self { server, traffic: Traffic::new(draw, 0), micros: Vec::new() }
    }

    fn measure(&mut self, key: &str, time: Duration) -> Result<(), BenchError> {
        let (sample, spent) = self.server.measure(&plan(&self.server, key), &mut self.traffic, time)?;
        self.micros.push(spent.total.as_secs_f64() * 1e6 / count(&sample.latencies));
        Ok(())
    }
}

/// Has so many links come into the cache; the memory before and after.
fn fill(server: &Server, key: &str, links: u64) -> Result<(Memory, Memory), BenchError> {
    let before = Memory::of(server.pid())?;
    visit(&plan(server, key), &mut Traffic::new(Draw::Each(0..links), 0), Duration::MAX)?;
    Ok((before, Memory::of(server.pid())?))
}

fn plan<'a>(server: &Server, key: &'a str) -> Plan<'a> {
    Plan { address: server.address(), connections: 64, fresh: false, key, watches: server.is_apart }
}

fn count(of: &[u32]) -> f64 {
    f64::from(u32::try_from(of.len()).unwrap_or(u32::MAX))
}

fn above_target(bytes: u64, links: u64) -> f64 {
    let target = links * (links::TARGET.len() + links::CODE_LENGTH) as u64;
    let exact = |number: u64| f64::from(u32::try_from(number / 1024).unwrap_or(u32::MAX)) * 1024.0;
    (exact(bytes) - exact(target)) / f64::from(u32::try_from(links).unwrap_or(u32::MAX))
}

#[test]
fn the_target_is_not_counted() {
    let target = (links::TARGET.len() + links::CODE_LENGTH) as u64;
    let bytes = above_target(1_024_000 * (target + 100), 1_024_000);
    assert!((bytes - 100.0).abs() < 0.01, "{bytes}");
}
