//! One handing over of clicks.

use hny_domain::LinkId;
use hny_store::{SpoolId, SpoolMark, SpoolStep};

use crate::haul::Haul;
use crate::sink::Rows;

/// How many rows are one change of the store: some milliseconds of work, so that who makes a link does not wait long behind it.
pub(crate) const ROWS_PER_CHANGE: usize = 4096;

/// Rows on their way to the sink, one change after the other. With each change goes how far the clicks of the spool are counted then.
#[derive(Debug)]
pub(crate) struct Flush {
    spool: SpoolId,
    rows: Rows,
    /// Up to where the sink has confirmed them.
    confirmed: usize,
    /// How far the clicks of the spool are counted.
    mark: SpoolMark,
    /// The position in the spool behind the clicks.
    until: u64,
    /// Of which segments they are.
    pub(crate) taken: Vec<(u64, u64)>,
}

impl Flush {
    /// Hands over what was hauled out of a spool whose clicks are counted so far.
    pub(crate) fn new(spool: SpoolId, mut haul: Haul, mark: SpoolMark) -> Self {
        let mut rows = haul.rows();
        // What a process handed over whose flush was cut short: it is read again from the same positions, so its rows are the same.
        rows.retain(|(link, _)| mark.until <= mark.position || *link > mark.link);
        Self { spool, rows, confirmed: 0, mark, until: haul.until, taken: haul.taken }
    }

    /// The rows of the next change, and the step that they are.
    pub(crate) fn next(&self) -> (Rows, SpoolStep) {
        let rows = self.rows[self.confirmed..self.asked()].to_vec();
        (rows, SpoolStep { spool: self.spool, from: self.mark, to: self.mark_after() })
    }

    /// The change is confirmed; how many clicks are counted by it.
    pub(crate) fn confirm(&mut self) -> u64 {
        let (mark, asked) = (self.mark_after(), self.asked());
        let clicks = self.rows[self.confirmed..asked].iter().map(|(_, clicks)| clicks).sum();
        (self.mark, self.confirmed) = (mark, asked);
        clicks
    }

    /// How far the clicks of the spool are counted.
    pub(crate) const fn mark(&self) -> SpoolMark {
        self.mark
    }

    /// Whether all is confirmed.
    pub(crate) const fn is_done(&self) -> bool {
        self.mark.position == self.until
    }

    fn asked(&self) -> usize {
        self.rows.len().min(self.confirmed + ROWS_PER_CHANGE)
    }

    fn mark_after(&self) -> SpoolMark {
        match self.rows[..self.asked()].last() {
            Some(&(link, _)) if self.asked() < self.rows.len() => self.mark_at(link),
            _ => SpoolMark::at(self.until),
        }
    }

    /// In the middle of the flush, behind the row of a link.
    const fn mark_at(&self, link: LinkId) -> SpoolMark {
        SpoolMark { position: self.mark.position, until: self.until, link }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SPOOL: SpoolId = SpoolId(1);

    fn link(number: usize) -> LinkId {
        LinkId(i64::try_from(number).unwrap())
    }

    fn flush(links: usize, mark: SpoolMark) -> Flush {
        let haul = Haul::of((0..links).flat_map(|number| [link(number); 2]).collect(), 900);
        Flush::new(SPOOL, haul, mark)
    }

    /// The steps of a flush, and how many rows and clicks each has.
    fn steps(mut flush: Flush) -> Vec<(SpoolMark, SpoolMark, usize, u64)> {
        let mut steps = Vec::new();
        while !flush.is_done() {
            let (rows, step) = flush.next();
            assert_eq!((step.spool, flush.next().0), (SPOOL, rows.clone()), "until it is confirmed it is the same");
            steps.push((step.from, step.to, rows.len(), flush.confirm()));
        }
        steps
    }

    #[test]
    fn rows_are_handed_over_in_changes_of_a_bounded_size_and_marks_say_how_far() {
        let full = ROWS_PER_CHANGE;
        let at = |number| SpoolMark { position: 100, until: 900, link: link(number) };
        let (begin, first, second, end) = (SpoolMark::at(100), at(full - 1), at(2 * full - 1), SpoolMark::at(900));
        let expected =
            [(begin, first, full, 2 * full as u64), (first, second, full, 2 * full as u64), (second, end, 1, 2)];
        assert_eq!(steps(flush(2 * full + 1, begin)), expected);
        assert_eq!(steps(flush(2 * full + 1, first)), expected[1..], "begun again it goes on where it was");
        assert_eq!(steps(flush(2 * full + 1, second)), expected[2..]);
    }

    #[test]
    fn where_there_is_nothing_to_count_the_mark_moves_on() {
        let begin = SpoolMark::at(100);
        assert_eq!(steps(flush(0, begin)), [(begin, SpoolMark::at(900), 0, 0)]);
    }

    #[test]
    fn a_full_last_change_is_the_last() {
        let (begin, full) = (SpoolMark::at(100), ROWS_PER_CHANGE);
        assert_eq!(steps(flush(full, begin)), [(begin, SpoolMark::at(900), full, 2 * full as u64)]);
    }
}
