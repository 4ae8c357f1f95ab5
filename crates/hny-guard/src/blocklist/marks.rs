//! The marks of many rules in little memory.

use super::fingerprint::Fingerprint;

/// How many marks share a drawer on the average: few enough to lie in one or two lines of the processor's cache.
const IN_A_DRAWER: usize = 4;

/// Marks in drawers, by their place: a question opens one drawer and looks through it.
///
/// A million take 8 bytes each beside their place, 4 of it, and 1 MB to say where the drawers begin: 13 MB.
#[derive(Debug, Clone, Default)]
pub(super) struct Marks {
    /// By ascending place.
    marks: Box<[Fingerprint]>,
    /// Where each drawer begins, and where the last one ends. Empty where there are no marks.
    starts: Box<[u32]>,
}

impl Marks {
    /// From marks in any order; each counts once.
    pub(super) fn new(mut marks: Vec<Fingerprint>) -> Self {
        marks.sort_unstable();
        marks.dedup();
        if marks.is_empty() {
            return Self::default();
        }
        let marks = marks.into_boxed_slice();
        let drawers = (marks.len() / IN_A_DRAWER).next_power_of_two();
        let mut starts = vec![0; drawers + 1];
        for mark in &marks {
            starts[drawer(*mark, drawers) + 1] += 1;
        }
        let mut sum = 0_u32;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        Self { marks, starts: starts.into_boxed_slice() }
    }

    /// Whether it is one of them.
    pub(super) fn contain(&self, mark: Fingerprint) -> bool {
        let Some(drawers) = self.starts.len().checked_sub(1) else { return false };
        let number = drawer(mark, drawers);
        let drawer = self.starts[number] as usize..self.starts[number + 1] as usize;
        self.marks[drawer].contains(&mark)
    }

    /// How many they are.
    pub(super) fn len(&self) -> usize {
        self.marks.len()
    }

    /// All of them.
    pub(super) fn iter(&self) -> impl Iterator<Item = Fingerprint> + '_ {
        self.marks.iter().copied()
    }

    /// Their bytes.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.marks) + size_of_val(&*self.starts)
    }
}

/// The drawer that a mark is in: the upper bits of its place, so that the order of marks is that of drawers.
fn drawer(mark: Fingerprint, drawers: usize) -> usize {
    let bits = drawers.trailing_zeros();
    if bits == 0 { 0 } else { (mark.place >> (u32::BITS - bits)) as usize }
}

#[cfg(test)]
mod tests {
    use super::super::fingerprint::{Kind, Marker};
    use super::*;

    #[test]
    fn what_was_put_in_is_there_and_nothing_else() {
        for count in [0, 1, 3, 4, 5, 1000, 20_000] {
            let marker = Marker::new();
            let mark = |number: usize| marker.mark(Kind::Domain, &[&number.to_string()]);
            let marks = Marks::new((0..count).chain(0..count / 2).map(mark).collect());
            assert_eq!(marks.len(), count);
            assert!((0..count).all(|number| marks.contain(mark(number))), "{count}");
            assert!((count..count + 50_000).all(|number| !marks.contain(mark(number))), "{count}");
            assert!(marks.iter().all(|mark| marks.contain(mark)));
        }
    }

    #[test]
    fn the_key_and_the_kind_matter() {
        let (marker, other) = (Marker::new(), Marker::new());
        let mark = marker.mark(Kind::Domain, &["evil.example"]);
        assert_ne!(mark, other.mark(Kind::Domain, &["evil.example"]));
        assert_ne!(mark, marker.mark(Kind::Url, &["evil.example"]));
        assert_eq!(mark, marker.mark(Kind::Domain, &["evil.", "example"]), "the text counts, not its parts");
    }
}
