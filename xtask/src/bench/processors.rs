//! Which processor does what, and how long each has worked.

use super::BenchError;
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use std::fs;
use std::io::{Error, Result};
use std::time::Duration;

/// The processors we may use. Servers run on the first ones, whoever asks them on the last.
pub(super) struct Processors(Vec<usize>);

impl Processors {
    pub(super) fn available() -> std::result::Result<Self, BenchError> {
        let set = sched_getaffinity(None).map_err(BenchError::processors)?;
        Ok(Self((0..CpuSet::MAX_CPU).filter(|number| set.is_set(*number)).collect()))
    }

    /// Starts a process that stays on the first `count` processors; it inherits them from us.
    pub(super) fn start<T>(&self, count: usize, start: impl FnOnce() -> T) -> std::result::Result<T, BenchError> {
        stay_on(&self.0[..count.min(self.0.len())])?;
        let started = start();
        self.ask()?;
        Ok(started)
    }

    /// Does something on all processors, and so do the processes that it starts.
    pub(super) fn on_all<T>(&self, work: impl FnOnce() -> T) -> std::result::Result<T, BenchError> {
        self.start(self.0.len(), work)
    }

    /// Whether whoever asks has a processor of their own beside servers on `count`.
    pub(super) fn are_more_than(&self, count: usize) -> bool {
        self.0.len() > count
    }

    /// Puts this thread on the last processor.
    pub(super) fn ask(&self) -> std::result::Result<(), BenchError> {
        stay_on(&self.0[self.0.len().saturating_sub(1)..])
    }
}

fn stay_on(processors: &[usize]) -> std::result::Result<(), BenchError> {
    let mut set = CpuSet::new();
    for processor in processors {
        set.set(*processor);
    }
    sched_setaffinity(None, &set).map_err(BenchError::processors)
}

/// Processor time that a process has used.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Spent {
    /// All of it.
    pub(super) total: Duration,
    /// The part of it in the process's own code; the rest is the kernel's.
    pub(super) user: Duration,
}

/// What a process has used since it began: the scheduler's account, exact to the nanosecond, and two counters of ticks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Account {
    exact: Duration,
    user_ticks: u64,
    system_ticks: u64,
}

impl Account {
    pub(super) fn of(pid: u32) -> std::result::Result<Self, BenchError> {
        let read = || Ok((exact(pid)?, ticks(&fs::read_to_string(format!("/proc/{pid}/stat"))?)?));
        let read: Result<_> = read();
        let (exact, (user_ticks, system_ticks)) = read.map_err(|source| BenchError::Account { pid, source })?;
        Ok(Self { exact, user_ticks, system_ticks })
    }

    /// All that a process has used.
    pub(super) fn since_start(pid: u32) -> std::result::Result<Duration, BenchError> {
        Self::of(pid).map(|account| account.exact)
    }

    /// What was used from `self` to `later`. The scheduler does not tell user from system; the ticks do, in proportion.
    pub(super) fn until(&self, later: &Self) -> Spent {
        let total = later.exact.saturating_sub(self.exact);
        let ticks = |earlier: u64, later: u64| u32::try_from(later.saturating_sub(earlier)).unwrap_or(u32::MAX);
        let user = f64::from(ticks(self.user_ticks, later.user_ticks));
        let system = f64::from(ticks(self.system_ticks, later.system_ticks));
        let share = if user + system > 0.0 { user / (user + system) } else { 0.0 };
        Spent { total, user: total.mul_f64(share) }
    }
}

/// What several processes have used since they began.
#[derive(Clone, Debug)]
pub(super) struct Accounts(Vec<(u32, Duration)>);

impl Accounts {
    /// Those that run; servers end some of theirs whenever they like.
    pub(super) fn of(pids: &[u32]) -> Self {
        Self(pids.iter().filter_map(|pid| Some((*pid, exact(*pid).ok()?))).collect())
    }

    /// What was used until `later` by the processes that run still.
    pub(super) fn until(&self, later: &Self) -> Duration {
        let of = |pid| later.0.iter().find(|(other, _)| *other == pid).map(|(_, time)| *time);
        self.0.iter().filter_map(|(pid, time)| Some(of(*pid)?.saturating_sub(*time))).sum()
    }
}

/// The scheduler's account of all threads together.
fn exact(pid: u32) -> Result<Duration> {
    let mut nanos = 0;
    for thread in fs::read_dir(format!("/proc/{pid}/task"))? {
        // A thread that has ended meanwhile is no fault.
        let text = fs::read_to_string(thread?.path().join("schedstat")).unwrap_or_default();
        nanos += text.split(' ').next().and_then(|nanos| nanos.parse().ok()).unwrap_or(0);
    }
    if nanos == 0 {
        return Err(Error::other("the system keeps no account of processor time (schedstat)"));
    }
    Ok(Duration::from_nanos(nanos))
}

/// The ticks of a process in its own code and in the kernel's: fields 14 and 15 of `stat`, counted behind the name, which
/// may have anything in it.
fn ticks(stat: &str) -> Result<(u64, u64)> {
    let fields = stat.rsplit(')').next().unwrap_or_default();
    let mut fields = fields.split_whitespace().skip(11).map(str::parse);
    match (fields.next(), fields.next()) {
        (Some(Ok(user)), Some(Ok(system))) => Ok((user, system)),
        _ => Err(Error::other("the system's account of the process cannot be read")),
    }
}

#[test]
fn ticks_are_found_behind_any_name() {
    let stat = "7 (a) b (c) S 1 7 7 0 -1 4194560 1 2 3 4 55 66 7 8 20 0 1 0 9";
    assert_eq!(ticks(stat).expect("it is whole"), (55, 66));
    assert!(ticks("7 (a) S 1").is_err());
}

#[test]
fn the_split_follows_the_ticks_and_the_sum_the_scheduler() {
    let account =
        |exact, user_ticks, system_ticks| Account { exact: Duration::from_millis(exact), user_ticks, system_ticks };
    let spent = account(100, 10, 10).until(&account(1100, 35, 85));
    assert_eq!(spent, Spent { total: Duration::from_secs(1), user: Duration::from_millis(250) });
}

#[test]
fn our_own_work_is_accounted_for() {
    let account = || Account::of(std::process::id()).expect("we are running");
    let before = account();
    let mut spent = Spent::default();
    while spent.total < Duration::from_millis(5) {
        spent = before.until(&account());
    }
    assert!(spent.user <= spent.total, "{spent:?}");
}

#[test]
fn only_processes_that_still_run_are_accounted_for() {
    let accounts = |times: &[(u32, u64)]| {
        Accounts(times.iter().map(|(pid, millis)| (*pid, Duration::from_millis(*millis))).collect())
    };
    let spent = accounts(&[(1, 10), (2, 50), (3, 7)]).until(&accounts(&[(3, 9), (1, 30), (4, 1000)]));
    assert_eq!(spent, Duration::from_millis(22));
    assert_eq!(Accounts::of(&[std::process::id(), u32::MAX]).0.len(), 1);
}
