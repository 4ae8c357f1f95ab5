//! How finely counts are asked for: a year by day needs 365 numbers, and has 35,040 quarters.

use crate::Timestamp;
use crate::statistics::QUARTER;

/// Which quarters of an hour are counted together: as many for each slot, and some slot begins `shift` quarters before 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grid {
    length: i64,
    shift: i64,
}

/// More quarters than there are between any two clicks.
const WHOLE: i64 = 1 << 40;

impl Grid {
    /// Each quarter by itself.
    pub const QUARTERS: Self = Self { length: 1, shift: 0 };

    /// All that is asked for together.
    pub const WHOLE: Self = Self { length: WHOLE, shift: 0 };

    /// The coarsest grid of which a slot begins at each of these moments, but for the first: there the span begins, and cuts its slot.
    /// They are at quarters of an hour, ascending.
    pub fn of(starts: &[Timestamp]) -> Self {
        let numbers = starts.iter().skip(1).map(|start| start.as_millis() / quarter_millis());
        let numbers: Vec<i64> = numbers.collect();
        let Some(first) = numbers.first() else { return Self::WHOLE };
        let steps = numbers.windows(2).filter_map(|pair| Some(pair.last()? - pair.first()?));
        let length = match steps.fold(0, greatest_common_divisor) {
            0 => WHOLE,
            length => length,
        };
        Self { length, shift: (-first).rem_euclid(length) }
    }

    /// How many quarters a slot has.
    pub const fn length(self) -> i64 {
        self.length
    }

    /// How many quarters before 1970 a slot begins: quarters with the same `(quarter + shift) / length` are in one slot.
    pub const fn shift(self) -> i64 {
        self.shift
    }

    /// With which quarter the slot of a quarter begins, both counted from 1970 on.
    pub const fn slot_start(self, quarter: i64) -> i64 {
        (quarter + self.shift).div_euclid(self.length).saturating_mul(self.length) - self.shift
    }
}

fn greatest_common_divisor(one: i64, other: i64) -> i64 {
    if other == 0 { one } else { greatest_common_divisor(other, one % other) }
}

fn quarter_millis() -> i64 {
    i64::try_from(QUARTER.as_millis()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn grid(quarters: &[i64]) -> Grid {
        let starts: Vec<_> = quarters.iter().map(|quarter| Timestamp::from_millis(quarter * 900_000)).collect();
        Grid::of(&starts)
    }

    #[test]
    fn days_of_one_length_are_a_slot_each_and_others_are_some() {
        assert_eq!(grid(&[7, 96, 192, 288]), Grid { length: 96, shift: 0 });
        assert_eq!(grid(&[7, 93, 189, 285]), Grid { length: 96, shift: 3 });
        // The clocks go back by an hour, and forth.
        assert_eq!(grid(&[0, 92, 192, 288, 380]), Grid { length: 4, shift: 0 });
        // By half an hour, as on Lord Howe Island.
        assert_eq!(grid(&[0, 54, 152, 248]).length(), 2);
    }

    #[test]
    fn one_piece_or_two_need_no_more_than_that() {
        assert_eq!((grid(&[]), grid(&[5])), (Grid::WHOLE, Grid::WHOLE));
        let two = grid(&[5, 96]);
        assert_eq!((two.slot_start(96), two.slot_start(97), two.slot_start(95) < 0), (96, 96, true));
    }

    proptest! {
        #[test]
        fn a_slot_begins_at_every_start(first in 0..3_000_000_i64, steps in prop::collection::vec(1..800_i64, 1..9)) {
            let starts: Vec<_> = std::iter::once(0).chain(steps).scan(first, |at, step| { *at += step; Some(*at) }).collect();
            let grid = grid(&starts);
            for start in &starts[1..] {
                prop_assert_eq!((grid.slot_start(*start), grid.slot_start(start + grid.length() - 1)), (*start, *start));
            }
            prop_assert!((0..grid.length()).contains(&grid.shift()));
        }
    }
}
