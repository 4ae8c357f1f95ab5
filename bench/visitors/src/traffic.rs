//! What is asked for next.

use crate::links::{self, Code};
use std::ops::Range;

/// Which links are asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Draw {
    /// Always the same link, of a server that knows no other; its target begins with this.
    Fixed(&'static str),
    /// Always the same link.
    One,
    /// Any of the first so many links, each as likely as another.
    Any(u64),
    /// Any of the first so many links, each as likely as its place says: the tenth a tenth as likely as the first (Zipf's law).
    Popular(u64),
    /// Links from two groups.
    Either {
        /// How many of a hundred are from `often`.
        percent: u64,
        /// The first so many links.
        often: u64,
        /// The first so many links.
        all: u64,
    },
    /// Any of so many codes that have no link.
    Unknown(u64),
    /// These links, one after the other, until all have been asked for.
    Each(Range<u64>),
    /// As `Each`, of the codes that have no link.
    EachUnknown(Range<u64>),
}

/// One request, and by that its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wish {
    /// Leads where the code leads.
    Follow(Code),
    /// Leads to the one target there is, which begins with this.
    Fixed(&'static str, Code),
    /// There is no such link.
    Miss(Code),
    /// A new link, to a target that nobody else has.
    Create(u64),
}

/// A stream of requests, the same ones in every run.
#[derive(Debug)]
pub struct Traffic {
    draw: Draw,
    /// How many of a hundred requests create a link.
    creates: u64,
    made: u64,
    state: u64,
    /// How many people come; 0 is one who always says the same.
    people: u64,
    /// The code of a link by its number.
    code: fn(u64) -> Code,
}

impl Traffic {
    /// Requests for these links; so many of a hundred create one instead.
    pub fn new(draw: Draw, creates: u64) -> Self {
        Self { draw, creates, made: 0, state: 0x9E37_79B9_7F4A_7C15, people: 0, code: links::code }
    }

    /// As before, of links whose codes are [`links::digits`].
    #[must_use]
    pub fn of_digits(self) -> Self {
        Self { code: links::digits, ..self }
    }

    /// As before, by so many people, who say by `X-Forwarded-For` who they are, and by other fields what they use and where they come from.
    #[must_use]
    pub fn of_people(self, people: u64) -> Self {
        Self { people, ..self }
    }

    /// Who comes next, and from where.
    pub(crate) fn person(&mut self) -> Option<(u64, u64)> {
        (self.people > 0).then(|| (self.below(self.people), self.below(1 << 32)))
    }

    pub(crate) fn next(&mut self) -> Option<Wish> {
        if self.creates > 0 && self.below(100) < self.creates {
            self.made += 1;
            return Some(Wish::Create(self.made));
        }
        let code = self.code;
        let wish = match self.draw {
            Draw::Fixed(target) => Wish::Fixed(target, links::code(0)),
            Draw::One => Wish::Follow(code(0)),
            Draw::Any(all) => Wish::Follow(code(self.below(all))),
            Draw::Popular(all) => Wish::Follow(code(self.popular(all))),
            Draw::Either { percent, often, all } => {
                let group = if self.below(100) < percent { often } else { all };
                Wish::Follow(code(self.below(group)))
            }
            Draw::Unknown(all) => Wish::Miss(links::unknown_code(self.below(all))),
            Draw::Each(ref mut left) => Wish::Follow(code(left.next()?)),
            Draw::EachUnknown(ref mut left) => Wish::Miss(links::unknown_code(left.next()?)),
        };
        Some(wish)
    }

    /// A number below `end`, whose logarithm is as likely as another: so each is as likely as the distance of the logarithms of its place
    /// and of the next, which is nearly one divided by the place.
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "far below 2^52"
    )]
    fn popular(&mut self, end: u64) -> u64 {
        let share = self.below(1 << 32) as f64 / (1u64 << 32) as f64;
        (((end + 1) as f64).powf(share) as u64).saturating_sub(1).min(end.saturating_sub(1))
    }

    /// A number below `end`, by Marsaglia's xorshift64: good enough to spread requests, and cheap.
    fn below(&mut self, end: u64) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        // The upper half of the product: `end` is far too small for its bias to show.
        u64::try_from((u128::from(self.state) * u128::from(end)) >> 64).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn wishes(draw: Draw, creates: u64, count: usize) -> Vec<Wish> {
        let mut traffic = Traffic::new(draw, creates);
        std::iter::from_fn(|| traffic.next()).take(count).collect()
    }

    #[test]
    fn every_link_is_asked_for() {
        let asked: HashSet<_> = wishes(Draw::Any(100), 0, 2_000).into_iter().map(|wish| format!("{wish:?}")).collect();
        assert_eq!(asked.len(), 100);
        assert_eq!(wishes(Draw::Each(3..5), 0, 9), [3, 4].map(|number| Wish::Follow(links::code(number))));
    }

    #[test]
    fn what_is_popular_is_asked_for_by_zipfs_law() {
        let wishes = wishes(Draw::Popular(1_000), 0, 100_000);
        let of = |number| wishes.iter().filter(|wish| **wish == Wish::Follow(links::code(number))).count();
        // ln(2), ln(11/10) and ln(1001/1000) of ln(1001), which is 6.9.
        assert!((9_500..10_600).contains(&of(0)), "{}", of(0));
        assert!((1_200..1_560).contains(&of(9)), "{}", of(9));
        assert!((1..40).contains(&of(999)), "{}", of(999));
    }

    #[test]
    fn the_shares_are_those_asked_for() {
        let creates = wishes(Draw::One, 1, 100_000).into_iter().filter(|wish| matches!(wish, Wish::Create(_)));
        let creates = creates.count();
        assert!((900..1100).contains(&creates), "{creates}");
        let often: Vec<_> = (0..10).map(|number| Wish::Follow(links::code(number))).collect();
        let draw = Draw::Either { percent: 90, often: 10, all: 1 << 30 };
        let hits = wishes(draw, 0, 10_000).into_iter().filter(|wish| often.contains(wish)).count();
        assert!((8_800..9_200).contains(&hits), "{hits}");
    }
}
