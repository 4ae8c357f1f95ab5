//! What is remembered of many, in bounded memory.

use std::hash::{Hash, RandomState};

use hashlink::LinkedHashMap;

use crate::limit::Millis;
use crate::log::{Entry, Log};

/// Records of those who are counted, in the order in which they last were: so it is also the order in which they may be forgotten,
/// because nothing of theirs is in the window any more or because memory is full.
#[derive(Debug)]
pub(crate) struct Records<K, R> {
    /// Addresses come from strangers, so the hash has a secret.
    by_owner: LinkedHashMap<K, R, RandomState>,
    /// How long what was counted counts.
    window: Millis,
    /// As many records have memory: those that are forgotten leave theirs to the next, until it is given back.
    places: usize,
    /// Bytes of all allocations of records.
    allocated: usize,
    /// How many bytes may be in use, all told.
    limit: usize,
}

/// What the map, the list and the allocator take for a record beside it: two links, up to two and a half places of the table, and
/// what is lost by rounding.
const BESIDE: usize = 64;

/// As many empty places, and an eighth of all, are kept for who comes next.
const EMPTY: usize = 64;

impl<K: Copy + Eq + Hash, R: Default + AsRef<Log> + AsMut<Log>> Records<K, R> {
    /// Nobody, and room for `limit` bytes.
    pub(crate) fn new(window: Millis, limit: usize) -> Self {
        Self { by_owner: LinkedHashMap::with_hasher(RandomState::new()), window, places: 0, allocated: 0, limit }
    }

    /// The record of one, without what has left the window.
    pub(crate) fn get(&mut self, who: K, now: Millis) -> Option<&mut R> {
        let record = self.by_owner.get_mut(&who)?;
        if let Some(start) = now.checked_sub(self.window) {
            record.as_mut().forget_until(start);
        }
        Some(record)
    }

    /// Counts something, and forgets of others what may be forgotten.
    pub(crate) fn push(&mut self, who: K, entry: Entry) {
        if !self.by_owner.contains_key(&who) {
            self.by_owner.insert(who, R::default());
            self.places = self.places.max(self.by_owner.len());
        }
        if let Some(record) = self.by_owner.to_back(&who) {
            let log = record.as_mut();
            let before = log.allocated();
            log.push(entry);
            self.allocated += log.allocated() - before;
        }
        self.forget(entry.at);
    }

    /// Forgets who has nothing in the window, and while memory is full the first of the others.
    fn forget(&mut self, now: Millis) {
        while let Some((_, record)) = self.by_owner.front() {
            let last = record.as_ref().last();
            let is_over = last.is_none_or(|last| last.at.saturating_add(self.window) <= now);
            if !is_over && self.bytes() <= self.limit {
                return;
            }
            if let Some((_, record)) = self.by_owner.pop_front() {
                self.allocated -= record.as_ref().allocated();
            }
            self.give_back();
        }
    }

    /// Gives memory back when much of it is empty: seldom, because it looks at all records.
    fn give_back(&mut self) {
        if self.places - self.by_owner.len() > EMPTY + self.places / 8 {
            self.by_owner.shrink_to_fit();
            self.places = self.by_owner.len();
        }
    }

    /// Bytes in use, all told but the empty places.
    fn bytes(&self) -> usize {
        self.by_owner.len() * Self::place_bytes() + self.allocated
    }

    const fn place_bytes() -> usize {
        size_of::<(K, R)>() + BESIDE
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;
    use crate::Client;

    type Clients = Records<Client, Log>;

    fn client(number: u32) -> Client {
        Client::of(Ipv4Addr::from(number).into())
    }

    fn push(clients: &mut Clients, number: u32, at: Millis) {
        clients.push(client(number), Entry { at, mark: at });
    }

    fn count(clients: &mut Clients, number: u32, now: Millis) -> usize {
        clients.get(client(number), now).map_or(0, |log| log.len())
    }

    /// What is true between any two steps.
    fn check(clients: &Clients) {
        let allocated: usize = clients.by_owner.values().map(Log::allocated).sum();
        assert_eq!(clients.allocated, allocated);
        let empty = clients.places - clients.by_owner.len();
        assert!(empty <= EMPTY + clients.places / 8, "{empty} of {}", clients.places);
        assert!(clients.bytes() <= clients.limit, "{}", clients.bytes());
    }

    #[test]
    fn a_window_slides() {
        let mut clients = Clients::new(1000, 1 << 20);
        for at in [5, 400, 900] {
            push(&mut clients, 1, at);
        }
        for (now, left) in [(900, 3), (1004, 3), (1005, 2), (1399, 2), (1400, 1), (1899, 1), (1900, 0)] {
            assert_eq!(count(&mut clients, 1, now), left, "at {now}");
        }
    }

    #[test]
    fn who_has_nothing_in_the_window_is_forgotten() {
        let mut clients = Clients::new(1000, 1 << 20);
        for number in 0..500 {
            push(&mut clients, number, u64::from(number));
        }
        push(&mut clients, 0, 600);
        push(&mut clients, 500, 1499);
        assert_eq!(clients.by_owner.len(), 2, "those that came last");
        assert_eq!(count(&mut clients, 0, 1499), 1, "the first was counted again");
        check(&clients);
    }

    #[test]
    fn where_memory_is_full_the_one_that_was_counted_longest_ago_goes() {
        let mut clients = Clients::new(u64::MAX, 100 * Clients::place_bytes());
        for number in 0..99 {
            push(&mut clients, number, 1);
        }
        for at in 2..1000 {
            // Who is at the limit and asks again and again is looked at, not counted, and does not stay for that.
            assert_eq!(count(&mut clients, 0, at), usize::from(at <= 3), "at {at}");
            push(&mut clients, 200 + u32::try_from(at).unwrap() % 300, at);
            check(&clients);
        }
    }

    #[test]
    fn a_million_addresses_take_no_more_than_the_limit() {
        let mut clients = Clients::new(u64::MAX, 1 << 20);
        for number in 0..1_000_000 {
            push(&mut clients, number, u64::from(number));
        }
        check(&clients);
        assert!(clients.by_owner.len() > 5_000, "{}", clients.by_owner.len());
        assert_eq!(count(&mut clients, 999_999, 1_000_000), 1);
    }
}
