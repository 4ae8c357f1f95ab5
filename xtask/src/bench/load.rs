//! Callers who create links one after the other, several at once, each on its own connection.

use super::BenchError;
use super::figures::Sample;
use hny_testkit::Client;
use std::net::SocketAddr;
use std::sync::Barrier;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::ScopedJoinHandle;
use std::time::{Duration, Instant};

/// Where and as whom links are created.
pub(super) struct Callers {
    pub(super) address: SocketAddr,
    pub(super) key: String,
    /// How many targets were made until now: no two links have the same.
    made: AtomicU64,
}

impl Callers {
    pub(super) fn new(address: SocketAddr, key: String) -> Self {
        Self { address, key, made: AtomicU64::new(0) }
    }

    /// Creates links for `time` with `callers` at once. Connecting is not measured.
    pub(super) fn measure(&self, callers: usize, time: Duration) -> Result<Sample, BenchError> {
        let barrier = Barrier::new(callers + 1);
        std::thread::scope(|scope| {
            let start_caller = |_| scope.spawn(|| self.call(&barrier, time));
            let threads: Vec<_> = (0..callers).map(start_caller).collect();
            barrier.wait();
            let start = Instant::now();
            let latencies = joined(threads)?;
            Ok(Sample { latencies, elapsed: start.elapsed() })
        })
    }

    fn call(&self, barrier: &Barrier, time: Duration) -> Result<Vec<Duration>, BenchError> {
        let client = Client::try_connect(self.address);
        // Also one who could not connect must come to the barrier, or the others would wait for ever.
        barrier.wait();
        let mut client = client.map_err(|source| self.failed(source))?;
        let start = Instant::now();
        let mut latencies = Vec::new();
        while start.elapsed() < time {
            latencies.push(self.create(&mut client)?);
        }
        Ok(latencies)
    }

    /// Creates one link and says how long the answer took.
    fn create(&self, client: &mut Client) -> Result<Duration, BenchError> {
        let number = self.made.fetch_add(1, Ordering::Relaxed);
        let body = format!(r#"{{"originalUrl":"https://example.com/articles/a-title-of-some-words?number={number}"}}"#);
        let authorization = format!("Bearer {}", self.key);
        let headers = [("Content-Type", "application/json"), ("Authorization", &authorization)];
        let start = Instant::now();
        let answer = client.try_request("POST", "/api/shorten", &headers, body.as_bytes());
        let latency = start.elapsed();
        let answer = answer.map_err(|source| self.failed(source))?;
        if answer.status == 201 {
            return Ok(latency);
        }
        let body = String::from_utf8_lossy(&answer.body).into_owned();
        Err(BenchError::Answer { status: answer.status, body })
    }

    fn failed(&self, source: std::io::Error) -> BenchError {
        BenchError::Connection { address: self.address, source }
    }
}

type Caller<'scope> = ScopedJoinHandle<'scope, Result<Vec<Duration>, BenchError>>;

/// The latencies of all callers, once all have stopped.
fn joined(callers: Vec<Caller<'_>>) -> Result<Vec<Duration>, BenchError> {
    let mut latencies = Vec::new();
    for caller in callers {
        let result = caller.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        latencies.extend(result?);
    }
    Ok(latencies)
}

#[cfg(test)]
mod tests;
