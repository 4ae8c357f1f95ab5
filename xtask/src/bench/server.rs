//! The servers of one run. Only the one that is being measured is awake.

use super::BenchError;
use super::nginx::Nginx;
use super::processors::{Account, Processors, Spent};
use super::release::Built;
use bench_visitors::{Plan, Sample, Traffic, links, visit};
use hny_testkit::{Program, Running};
use rustix::process::{Pid, Signal, kill_process};
use std::fs::File;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Which server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Which {
    /// The bare responder.
    Floor,
    Nginx,
    /// hny with a cache for all links.
    Hny,
    /// As `Hny`, but clicks are discarded.
    Uncounted,
    /// As `Hny`, but the database never takes a click: what is recorded stays in the spool.
    Untaken,
    /// As `Untaken`, and the spool is full: for each click that it takes, an older one is lost.
    Full,
    /// hny with a cache for little more than a thousand links.
    Cold,
    /// hny with a cache for some eighty links: of ten thousand, too, hardly any is in it.
    Bare,
    /// As `Hny`, on two threads.
    Two,
    /// As `Hny`, of another build.
    Beside,
}

impl Which {
    pub(super) const ALL: [Self; 10] = [
        Self::Floor,
        Self::Nginx,
        Self::Hny,
        Self::Uncounted,
        Self::Untaken,
        Self::Full,
        Self::Cold,
        Self::Bare,
        Self::Two,
        Self::Beside,
    ];

    /// How many threads it has, each on a processor of its own if there are as many.
    pub(super) fn threads(self) -> usize {
        if self == Self::Two { 2 } else { 1 }
    }
}

/// What the servers are started from and where.
pub(super) struct Place<'a> {
    pub(super) built: &'a Built,
    pub(super) beside: Option<&'a Path>,
    /// Has the database, of which every server gets a copy: one that sleeps may hold a lock of its own.
    pub(super) folder: &'a Path,
    pub(super) processors: &'a Processors,
}

/// Keeps the process; it ends with this value.
enum Process {
    Program(Running),
    Nginx(Nginx),
}

/// A started server.
pub(super) struct Server {
    pub(super) which: Which,
    /// Whether whoever asks it has a processor of their own.
    pub(super) is_apart: bool,
    process: Process,
    /// Holds the turn to change its database, where nothing shall be changed.
    _turn: Option<File>,
}

/// Room for ten million links.
const WARM: &str = "8GiB";

/// Room for some 1,300 links: the thousand that are asked for often stay.
const COLD: &str = "256KiB";

pub(super) const BARE: &str = "16KiB";

/// The askers are one client, and ask for a million codes that have no link. They shall get their answers, and what counting
/// costs shall be measured: so there is a limit, and it is out of reach.
const UNKNOWN_LIMIT: &str = "1000000000/60s";

/// The least that a spool may have: full after a second or two.
const FULL: &str = "16MiB";

/// How long a server works before a measurement, so that it has its connections and its caches again.
pub(super) const BEFORE: Duration = Duration::from_millis(100);

impl Server {
    pub(super) fn start(which: Which, place: &Place<'_>) -> Result<Self, BenchError> {
        let process = match which {
            Which::Floor => {
                let program = Program::new(&place.built.epoll).arg(links::target(links::code(0)));
                place.processors.start(1, || Process::Program(program.start()))?
            }
            Which::Nginx => Process::Nginx(place.processors.start(1, Nginx::start)??),
            Which::Hny | Which::Uncounted | Which::Untaken | Which::Full | Which::Two => {
                serve(&place.built.hny, which, place, WARM)?
            }
            Which::Cold => serve(&place.built.hny, which, place, COLD)?,
            Which::Bare => serve(&place.built.hny, which, place, BARE)?,
            Which::Beside => serve(place.beside.unwrap_or(&place.built.hny), which, place, WARM)?,
        };
        let turn = match which {
            Which::Untaken | Which::Full => Some(take_turn(&place.folder.join(format!("{which:?}")))?),
            _ => None,
        };
        Ok(Self { which, is_apart: place.processors.are_more_than(which.threads()), process, _turn: turn })
    }

    pub(super) fn address(&self) -> SocketAddr {
        match &self.process {
            Process::Program(running) => running.address(),
            Process::Nginx(nginx) => nginx.address(),
        }
    }

    pub(super) fn pid(&self) -> u32 {
        match &self.process {
            Process::Program(running) => running.pid(),
            Process::Nginx(nginx) => nginx.pid(),
        }
    }

    /// Wakes it, has it visited for `time`, and lets it sleep again.
    pub(super) fn measure(
        &self,
        plan: &Plan<'_>,
        traffic: &mut Traffic,
        time: Duration,
    ) -> Result<(Sample, Spent), BenchError> {
        self.wake()?;
        visit(plan, traffic, BEFORE)?;
        let before = Account::of(self.pid())?;
        let sample = visit(plan, traffic, time)?;
        let spent = before.until(&Account::of(self.pid())?);
        self.sleep()?;
        Ok((sample, spent))
    }

    /// Lets it work.
    pub(super) fn wake(&self) -> Result<(), BenchError> {
        self.signal(Signal::CONT)
    }

    /// Stops it until it is woken, so that it takes no time from the others.
    pub(super) fn sleep(&self) -> Result<(), BenchError> {
        self.signal(Signal::STOP)
    }

    fn signal(&self, signal: Signal) -> Result<(), BenchError> {
        // It is our child and not yet reaped, so the number is still its own.
        let pid = Pid::from_raw(self.pid().cast_signed()).ok_or(rustix::io::Errno::SRCH);
        pid.and_then(|pid| kill_process(pid, signal))
            .map_err(|source| BenchError::Account { pid: self.pid(), source: source.into() })
    }
}

fn serve(binary: &Path, which: Which, place: &Place<'_>, cache: &str) -> Result<Process, BenchError> {
    let folder = own_folder(which, place.folder)
        .map_err(|source| BenchError::Folder { folder: place.folder.display().to_string(), source })?;
    let program = Program::new(binary).in_folder(folder).env("HNY_CACHE_BYTES", cache).env("HNY_LOG", "warn");
    let program = program.env("HNY_THREADS", which.threads().to_string()).env("HNY_UNKNOWN_LIMIT", UNKNOWN_LIMIT);
    let program = match which {
        Which::Uncounted => program.env("HNY_CLICKS_URL", "discard:"),
        Which::Untaken => program.env("HNY_SPOOL_LIMIT", "8GiB"),
        Which::Full => program.env("HNY_SPOOL_LIMIT", FULL),
        _ => program,
    };
    place.processors.start(which.threads(), || Process::Program(program.start()))
}

/// Takes the turn to change the database of a node: as long as it is ours, the node's clicks stay in its spool.
pub(super) fn take_turn(folder: &Path) -> Result<File, BenchError> {
    let turn = File::create(folder.join("hny.db-turn")).and_then(|turn| turn.lock().map(|()| turn));
    turn.map_err(|source| BenchError::Folder { folder: folder.display().to_string(), source })
}

/// A folder with a copy of the database that is in `folder`.
fn own_folder(which: Which, folder: &Path) -> std::io::Result<PathBuf> {
    let own = folder.join(format!("{which:?}"));
    std::fs::create_dir_all(&own)?;
    std::fs::copy(folder.join("hny.db"), own.join("hny.db"))?;
    Ok(own)
}
