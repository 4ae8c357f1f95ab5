//! How many different codes that lead nowhere a client may ask for: a person meets a few, a scanner little else.

use std::hash::{BuildHasher, RandomState};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::Client;
use crate::limit::{Limit, TooMany, millis};
use crate::log::Entry;
use crate::records::Records;
use scan::Scan;

mod scan;

/// Into how many parts the clients are divided, so that threads seldom meet in one.
const PARTS: usize = 64;

/// As much memory all parts may take: ten thousand clients that have reached a limit of 100, or a hundred thousand who asked for one code.
const MEMORY: usize = 32 << 20;

/// The unknown codes that each client asked for within the window.
///
/// The same code counts once, however often it is asked for: many people behind one address may follow one dead link.
#[derive(Debug)]
pub struct UnknownCodes {
    limit: Limit,
    parts: Box<[Part]>,
    /// For codes and for the choice of the part. Nobody shall find codes that count as one, or addresses that meet in one part.
    secret: RandomState,
}

/// A part of the clients, apart from the others in the processor's memory too.
#[derive(Debug)]
#[repr(align(128))]
struct Part(Mutex<Records<Client, Scan>>);

impl UnknownCodes {
    /// Nobody has asked yet.
    pub fn new(limit: Limit) -> Self {
        let part = || Part(Mutex::new(Records::new(millis(limit.window), MEMORY / PARTS)));
        Self { limit, parts: (0..PARTS).map(|_| part()).collect(), secret: RandomState::new() }
    }

    /// Counts that a client asked at `now` for a code that leads nowhere. Refused when it is one too many; that does not count.
    pub fn ask(&self, client: Client, code: &str, now: Duration) -> Result<(), TooMany> {
        let (mark, now) = (self.secret.hash_one(code), millis(now));
        let mut clients = self.part(client);
        let is_new = match clients.get(client, now) {
            Some(scan) => scan.ask(mark, self.limit, now)?,
            None => true,
        };
        if is_new {
            clients.push(client, Entry { at: now, mark });
        }
        Ok(())
    }

    /// Whether a code that is not at hand may be looked up for this client at `now`. Who has reached the limit gets as many such
    /// looks in a window as it has unknown codes, one at a time: what it asks for may be a link after all.
    pub fn look_up(&self, client: Client, now: Duration) -> Result<(), TooMany> {
        let now = millis(now);
        match self.part(client).get(client, now) {
            Some(scan) => scan.look_up(self.limit, now),
            None => Ok(()),
        }
    }

    fn part(&self, client: Client) -> MutexGuard<'_, Records<Client, Scan>> {
        #[expect(clippy::cast_possible_truncation, reason = "a few of its bits are taken")]
        let number = self.secret.hash_one(client) as usize % PARTS;
        // Nothing is done in there that could panic half way.
        self.parts[number].0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests;
