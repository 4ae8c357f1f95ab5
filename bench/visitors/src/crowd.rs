//! The loop: whoever has an answer checks it and asks again.

use crate::visitor::{Next, Requests, Visitor};
use crate::{Traffic, VisitError};
use rustix::buffer::spare_capacity;
use rustix::event::Timespec;
use rustix::event::epoll::{self, CreateFlags, Event, EventData, EventFlags};
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use rustix::time::{ClockId, clock_gettime};
use std::net::SocketAddr;
use std::time::{Duration, Instant};

/// How long nothing at all may come.
const SILENCE: Duration = Duration::from_secs(30);

/// As many events as the servers take at once.
const EVENTS: usize = 512;

/// Whom to visit, and how.
#[derive(Clone, Copy, Debug)]
pub struct Plan<'a> {
    /// Where the server listens.
    pub address: SocketAddr,
    /// How many connections there are at once.
    pub connections: usize,
    /// Whether every request gets a connection of its own.
    pub fresh: bool,
    /// The API key for creating links.
    pub key: &'a str,
    /// Whether to look for answers again and again instead of sleeping until one comes, on a processor of one's own. Who sleeps
    /// has to be woken, and that would be the server's work; visitors from elsewhere do not give it.
    pub watches: bool,
}

/// What was seen.
#[derive(Clone, Debug, Default)]
pub struct Sample {
    /// How long each answer took, in nanoseconds.
    pub latencies: Vec<u32>,
    /// How long all took together.
    pub elapsed: Duration,
    /// The processor time of the asking side, without that of looking for answers that had not come.
    pub own: Duration,
    /// The bytes of the shortest answer: with links being created, that of a redirect.
    pub bytes: usize,
}

/// Visits until `time` is over, or until `traffic` has no more to ask.
pub fn visit(plan: &Plan<'_>, traffic: &mut Traffic, time: Duration) -> Result<Sample, VisitError> {
    let failed = |source| VisitError::Connection { address: plan.address, source };
    let mut crowd = Crowd::gather(plan).map_err(failed)?;
    let (start, own) = (Instant::now(), processor_time());
    let end = start.checked_add(time);
    crowd.begin(traffic, start)?;
    while crowd.waiting > 0 {
        crowd.turn(traffic, end)?;
    }
    crowd.sample.elapsed = start.elapsed();
    crowd.sample.own = processor_time().saturating_sub(own).saturating_sub(crowd.idle);
    Ok(crowd.sample)
}

struct Crowd<'a> {
    plan: Plan<'a>,
    epoll: OwnedFd,
    events: Vec<Event>,
    requests: Requests,
    visitors: Vec<Visitor>,
    /// How many of them wait for an answer.
    waiting: usize,
    buffer: Box<[u8]>,
    /// When something came last.
    heard: Instant,
    /// How long was looked for answers in vain.
    idle: Duration,
    sample: Sample,
}

impl<'a> Crowd<'a> {
    fn gather(plan: &Plan<'a>) -> std::io::Result<Self> {
        let mut crowd = Self {
            plan: *plan,
            epoll: epoll::create(CreateFlags::CLOEXEC)?,
            events: Vec::with_capacity(EVENTS),
            requests: Requests::new(plan),
            visitors: Vec::with_capacity(plan.connections),
            waiting: 0,
            buffer: vec![0; 16 * 1024].into(),
            heard: Instant::now(),
            idle: Duration::ZERO,
            sample: Sample::default(),
        };
        for _ in 0..plan.connections {
            let visitor = Visitor::connect(plan.address)?;
            crowd.watch(&visitor, crowd.visitors.len())?;
            crowd.visitors.push(visitor);
        }
        Ok(crowd)
    }

    fn watch(&self, visitor: &Visitor, number: usize) -> std::io::Result<()> {
        let name = EventData::new_u64(number as u64);
        Ok(epoll::add(&self.epoll, visitor.stream(), name, EventFlags::IN | EventFlags::ET)?)
    }

    fn begin(&mut self, traffic: &mut Traffic, now: Instant) -> Result<(), VisitError> {
        (0..self.visitors.len()).try_for_each(|number| self.ask(number, traffic, now))
    }

    fn ask(&mut self, number: usize, traffic: &mut Traffic, now: Instant) -> Result<(), VisitError> {
        let Some(wish) = traffic.next() else { return Ok(()) };
        let failed = |source| VisitError::Connection { address: self.plan.address, source };
        self.visitors[number].ask(wish, traffic.person(), &mut self.requests, now).map_err(failed)?;
        self.waiting += 1;
        Ok(())
    }

    /// Takes the answers that have come, and asks on unless it is time to end.
    fn turn(&mut self, traffic: &mut Traffic, end: Option<Instant>) -> Result<(), VisitError> {
        let mut events = std::mem::take(&mut self.events);
        events.clear();
        let begun = Instant::now();
        let patience = if self.plan.watches { Duration::ZERO } else { SILENCE };
        let patience = Timespec { tv_sec: patience.as_secs().cast_signed(), tv_nsec: 0 };
        match epoll::wait(&self.epoll, spare_capacity(&mut events), Some(&patience)) {
            Ok(0) => self.look_on(begun)?,
            Ok(_) => self.heard = begun,
            Err(Errno::INTR) => {}
            Err(source) => return Err(VisitError::Connection { address: self.plan.address, source: source.into() }),
        }
        for event in &events {
            let data = event.data;
            self.heard(usize::try_from(data.u64()).unwrap_or_default(), traffic, end)?;
        }
        self.events = events;
        Ok(())
    }

    /// Nothing has come since that time.
    fn look_on(&mut self, begun: Instant) -> Result<(), VisitError> {
        let now = Instant::now();
        self.idle += now - begun;
        if now - self.heard < SILENCE {
            return Ok(());
        }
        Err(VisitError::Silence { address: self.plan.address, waiting: self.waiting })
    }

    fn heard(&mut self, number: usize, traffic: &mut Traffic, end: Option<Instant>) -> Result<(), VisitError> {
        let visitor = &mut self.visitors[number];
        let bytes = match visitor.hear(&mut self.buffer, self.plan.fresh)? {
            Next::Wait => return Ok(()),
            Next::Ask(bytes) => bytes,
        };
        let now = Instant::now();
        self.sample.latencies.push(u32::try_from((now - visitor.asked()).as_nanos()).unwrap_or(u32::MAX));
        self.sample.bytes = if self.sample.bytes == 0 { bytes } else { bytes.min(self.sample.bytes) };
        self.waiting -= 1;
        if end.is_some_and(|end| now >= end) {
            return Ok(());
        }
        if self.plan.fresh {
            self.renew(number).map_err(|source| VisitError::Connection { address: self.plan.address, source })?;
        }
        self.ask(number, traffic, now)
    }

    /// A new connection in the place of an old one.
    fn renew(&mut self, number: usize) -> std::io::Result<()> {
        let visitor = Visitor::connect(self.plan.address)?;
        self.watch(&visitor, number)?;
        self.visitors[number] = visitor;
        Ok(())
    }
}

/// What this thread has used.
fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    let (seconds, nanos) = (u64::try_from(time.tv_sec), u32::try_from(time.tv_nsec));
    Duration::new(seconds.unwrap_or_default(), nanos.unwrap_or_default())
}

#[cfg(test)]
mod tests;
