//! The marks of many rules in little memory.

use super::fingerprint::Fingerprint;

/// How many marks share a drawer on the average: few enough to lie in one or two lines of the processor's cache.
const IN_A_DRAWER: usize = 4;

/// Marks in drawers, by their place: a question opens one drawer and looks through it. All rules about one host are in one drawer, in
/// order, so one that a host with very many has filled is looked through by halves.
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
            starts[drawer(mark.place, drawers) + 1] += 1;
        }
        let mut sum = 0_u32;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        Self { marks, starts: starts.into_boxed_slice() }
    }

    /// Those that have this place, by ascending rest.
    pub(super) fn at(&self, place: u32) -> &[Fingerprint] {
        let Some(drawers) = self.starts.len().checked_sub(1) else { return &[] };
        let number = drawer(place, drawers);
        let drawer = &self.marks[self.starts[number] as usize..self.starts[number + 1] as usize];
        let drawer = &drawer[drawer.partition_point(|mark| mark.place < place)..];
        &drawer[..drawer.partition_point(|mark| mark.place == place)]
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

/// The drawer for a place: its upper bits, so that the order of marks is that of drawers.
fn drawer(place: u32, drawers: usize) -> usize {
    let bits = drawers.trailing_zeros();
    if bits == 0 { 0 } else { (place >> (u32::BITS - bits)) as usize }
}

#[cfg(test)]
mod tests {
    use super::super::fingerprint::Marker;
    use super::*;

    fn contain(marks: &Marks, mark: Fingerprint) -> bool {
        marks.at(mark.place).contains(&mark)
    }

    #[test]
    fn what_was_put_in_is_there_and_nothing_else() {
        for count in [0, 1, 3, 4, 5, 1000, 20_000] {
            let marker = Marker::new();
            let mark = |number: usize| marker.domain(&number.to_string());
            let marks = Marks::new((0..count).chain(0..count / 2).map(mark).collect());
            assert_eq!(marks.len(), count);
            assert!((0..count).all(|number| contain(&marks, mark(number))), "{count}");
            assert!((count..count + 50_000).all(|number| !contain(&marks, mark(number))), "{count}");
            assert!(marks.iter().all(|mark| contain(&marks, mark)));
        }
    }

    #[test]
    fn all_of_one_place_is_found_together_however_much_it_is() {
        let marker = Marker::new();
        let url = |number: usize| {
            let mut urls = marker.urls("many.example");
            urls.push(&format!("/{number}"));
            urls.mark()
        };
        let others: Vec<_> = (0..1000).map(|number| marker.domain(&format!("{number}.example"))).collect();
        let marks = Marks::new((0..5000).map(url).chain(others.iter().copied()).collect());
        let found = marks.at(url(0).place);
        assert_eq!(found.len(), 5000);
        assert!(found.is_sorted() && (0..5000).all(|number| found.binary_search(&url(number)).is_ok()));
        assert!(others.iter().all(|other| contain(&marks, *other)));
        assert!(marks.at(marker.domain("none.example").place).is_empty());
    }
}
