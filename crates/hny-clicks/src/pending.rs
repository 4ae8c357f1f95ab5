//! Clicks that are not in the store yet.

use std::collections::VecDeque;

use hny_domain::LinkId;

use crate::sink::Rows;

/// Clicks by age, the oldest first: eight bytes each. Only when they are handed over are those of one link brought together, which
/// is cheap however many links there are: a sort of whole numbers, and no table of links that grows and has to be looked into.
#[derive(Debug)]
pub(crate) struct Pending {
    clicks: VecDeque<LinkId>,
    /// How many may wait.
    most: usize,
}

impl Pending {
    /// Room for so many clicks.
    pub(crate) fn new(most: usize) -> Self {
        Self { clicks: VecDeque::new(), most }
    }

    pub(crate) fn push(&mut self, link: LinkId) {
        self.clicks.push_back(link);
    }

    pub(crate) fn len(&self) -> usize {
        self.clicks.len()
    }

    /// Whether half of the room is taken: time to make some.
    pub(crate) fn is_much(&self) -> bool {
        self.clicks.len() >= self.most / 2
    }

    /// Takes the oldest clicks, at most so many, as rows.
    pub(crate) fn take(&mut self, clicks: usize) -> Rows {
        let mut links: Vec<LinkId> = self.clicks.drain(..clicks.min(self.clicks.len())).collect();
        if self.clicks.is_empty() && self.clicks.capacity() / 4 > links.len() {
            // What a rush of visitors took is given back; what is needed every time is kept.
            self.clicks.shrink_to(2 * links.len());
        }
        links.sort_unstable();
        links.chunk_by(|a, b| a == b).map(|clicks| (clicks[0], clicks.len() as u64)).collect()
    }

    /// Takes back what was not confirmed. It is older than everything else.
    pub(crate) fn give_back(&mut self, rows: &[(LinkId, u64)]) {
        for &(link, clicks) in rows.iter().rev() {
            (0..clicks).for_each(|_| self.clicks.push_front(link));
        }
    }

    /// Forgets the oldest clicks for which there is no room beside so many others; how many those are.
    pub(crate) fn forget_excess(&mut self, others: u64) -> u64 {
        let room = self.most.saturating_sub(usize::try_from(others).unwrap_or(usize::MAX));
        let excess = self.clicks.len().saturating_sub(room);
        self.clicks.drain(..excess);
        excess as u64
    }

    /// Forgets everything; how many clicks that was.
    pub(crate) fn forget_all(&mut self) -> u64 {
        let all = self.clicks.len() as u64;
        self.clicks = VecDeque::new();
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pending(most: usize, links: &[i64]) -> Pending {
        let mut pending = Pending::new(most);
        for &link in links {
            pending.push(LinkId(link));
        }
        pending
    }

    fn rows(rows: &[(i64, u64)]) -> Rows {
        rows.iter().map(|&(link, clicks)| (LinkId(link), clicks)).collect()
    }

    #[test]
    fn clicks_of_a_link_become_one_row_and_rows_ascend() {
        let mut pending = pending(100, &[3, 1, 3, 2, 3, -1, 1]);
        assert_eq!(pending.take(100), rows(&[(-1, 1), (1, 2), (2, 1), (3, 3)]));
        assert_eq!((pending.len(), pending.take(100)), (0, rows(&[])));
    }

    #[test]
    fn the_oldest_are_taken_first_and_come_back_as_the_oldest() {
        let mut pending = pending(100, &[5, 4, 5, 1, 2]);
        let taken = pending.take(3);
        assert_eq!(taken, rows(&[(4, 1), (5, 2)]));
        pending.give_back(&taken);
        assert_eq!(pending.len(), 5);
        assert_eq!(pending.take(3), taken);
        assert_eq!(pending.take(3), rows(&[(1, 1), (2, 1)]));
    }

    #[test]
    fn what_has_no_room_is_forgotten_from_the_oldest_on() {
        let mut pending = pending(4, &[1, 2, 3, 4, 5, 6]);
        assert_eq!(pending.forget_excess(0), 2);
        assert_eq!(pending.forget_excess(0), 0);
        assert_eq!(pending.forget_excess(1), 1, "what is on its way to the store takes room too");
        assert_eq!(pending.take(9), rows(&[(4, 1), (5, 1), (6, 1)]));
        assert_eq!(pending.forget_excess(u64::MAX), 0);
    }

    #[test]
    fn half_of_the_room_is_much() {
        assert!(!pending(4, &[1]).is_much() && pending(4, &[1, 1]).is_much());
    }

    #[test]
    fn all_that_is_forgotten_is_told() {
        let mut pending = pending(4, &[1, 1, 2]);
        assert_eq!((pending.forget_all(), pending.forget_all(), pending.len()), (3, 0, 0));
    }
}
