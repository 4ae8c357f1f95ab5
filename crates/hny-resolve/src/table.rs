//! One part of the cache: a hash table made of cache lines, so that a look-up among millions costs two fetches from memory, one
//! for the line and one for what is found, where a table of general use takes four.
//!
//! A line has five places. What belongs to a full line goes to another, which its hash names too, so that full lines do not gather. What was not asked for since the hand last
//! came by is thrown out first (the CLOCK of Corbató, 1968); what is new has not been asked for yet, so codes that are asked for
//! once do not drive out those that are asked for often.

use std::mem::{replace, size_of};

use prefetch_index::prefetch_index;

use crate::found::Found;
use crate::key::Sought;

/// How many entries a line has.
const PLACES: usize = 5;

/// In how many lines an entry may be. Nearly nine of ten are in their own, and when the table is as full as it gets, one of ten
/// million finds no place at all.
const REACH: usize = 16;

/// How many lines a table begins with.
const FIRST_LINES: usize = 8;

/// A part of the hash of a key: its low bits are the number of a line, the others tell keys of one line apart.
pub(crate) type Mark = u32;

/// As large as the unit in which processors fetch from memory.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Line {
    kept: [Option<Found>; PLACES],
    marks: [Mark; PLACES],
    /// A bit for each place that was asked for.
    asked: u8,
    /// Whether something that belongs here, or to a line before, went further.
    is_passed: bool,
}

/// A table of bounded size.
#[derive(Debug)]
pub(crate) struct Table {
    lines: Vec<Line>,
    /// How many bytes all may take.
    limit: usize,
    /// Of what is kept, without the lines.
    bytes: usize,
    entries: usize,
    /// The place that is looked at next when something must go.
    hand: usize,
}

impl Table {
    /// A table of at most `limit` bytes, and at least a few lines.
    pub(crate) fn new(limit: usize) -> Self {
        Self { lines: empty(FIRST_LINES), limit, bytes: 0, entries: 0, hand: 0 }
    }

    /// Has the processor fetch the line of a key: it goes on, and has it when it comes to it.
    pub(crate) fn expect(&self, mark: Mark) {
        prefetch_index(&self.lines, self.line_of(mark));
    }

    /// What is kept under a key.
    pub(crate) fn get(&mut self, mark: Mark, sought: &Sought<'_>) -> Option<&Found> {
        let (line, place) = self.find(mark, sought)?;
        let line = &mut self.lines[line];
        // Written only when it changes: most lines are only read.
        if line.asked & 1 << place == 0 {
            line.asked |= 1 << place;
        }
        line.kept[place].as_ref()
    }

    /// Keeps an entry under a key that has none.
    pub(crate) fn insert(&mut self, mark: Mark, found: Found) {
        self.bytes += found.bytes();
        self.entries += 1;
        // A table that is four fifths full has its entries near their lines still.
        if self.entries * 5 > self.places() * 4 {
            self.grow();
        }
        self.make_room();
        let mut found = found;
        while let Err(back) = self.put(mark, found) {
            found = back;
            // All lines in reach are full, by chance.
            if self.entries * 2 < self.places() || !self.grow() {
                self.clear_one(self.line_of(mark));
            }
        }
    }

    /// Forgets an entry.
    pub(crate) fn remove(&mut self, mark: Mark, sought: &Sought<'_>) {
        if let Some((line, place)) = self.find(mark, sought) {
            self.clear(line, place);
        }
    }

    /// All bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes + self.lines.len() * size_of::<Line>()
    }

    pub(crate) fn len(&self) -> usize {
        self.entries
    }

    fn places(&self) -> usize {
        self.lines.len() * PLACES
    }

    fn line_of(&self, mark: Mark) -> usize {
        // The number of lines is a power of two.
        mark as usize & (self.lines.len() - 1)
    }

    /// The lines in which an entry may be, its own first.
    fn reach(&self, mark: Mark) -> impl Iterator<Item = usize> + use<> {
        let (own, last) = (self.line_of(mark), self.lines.len() - 1);
        // Odd, so that it comes to as many different lines as there are. Of other bits than the number of the line.
        let step = mark.reverse_bits() as usize | 1;
        (0..REACH).map(move |number| own.wrapping_add(step.wrapping_mul(number)) & last)
    }

    fn find(&self, mark: Mark, sought: &Sought<'_>) -> Option<(usize, usize)> {
        for number in self.reach(mark) {
            let line = &self.lines[number];
            for place in 0..PLACES {
                if line.marks[place] == mark && line.kept[place].as_ref().is_some_and(|found| found.is_of(sought)) {
                    return Some((number, place));
                }
            }
            if !line.is_passed {
                return None;
            }
        }
        None
    }

    /// Puts an entry into the first free place, or gives it back.
    fn put(&mut self, mark: Mark, found: Found) -> Result<(), Found> {
        for number in self.reach(mark) {
            let line = &mut self.lines[number];
            if let Some(place) = line.kept.iter().position(Option::is_none) {
                line.kept[place] = Some(found);
                line.marks[place] = mark;
                line.asked &= !(1 << place);
                return Ok(());
            }
            line.is_passed = true;
        }
        Err(found)
    }

    /// Throws out until the limit is kept.
    fn make_room(&mut self) {
        while self.bytes() > self.limit && self.entries > 1 {
            let (line, place) = (self.hand / PLACES, self.hand % PLACES);
            self.hand = (self.hand + 1) % self.places();
            if self.lines[line].asked & 1 << place == 0 {
                self.clear(line, place);
            } else {
                self.lines[line].asked &= !(1 << place);
            }
        }
    }

    /// Throws one out of a full line: one that was not asked for, if there is one.
    fn clear_one(&mut self, line: usize) {
        let place = self.lines[line].asked.trailing_ones() as usize;
        self.clear(line, if place < PLACES { place } else { 0 });
        self.lines[line].asked = 0;
    }

    fn clear(&mut self, line: usize, place: usize) {
        if let Some(found) = self.lines[line].kept[place].take() {
            self.bytes -= found.bytes();
            self.entries -= 1;
        }
    }

    /// Doubles the lines, if the limit allows. No entry is looked at: its mark says where it goes.
    fn grow(&mut self) -> bool {
        let lines = self.lines.len() * 2;
        if self.bytes + lines * size_of::<Line>() > self.limit {
            return false;
        }
        self.hand = 0;
        for Line { kept, marks, .. } in replace(&mut self.lines, empty(lines)) {
            for (found, mark) in kept.into_iter().zip(marks) {
                if let Some(Err(left_over)) = found.map(|found| self.put(mark, found)) {
                    self.bytes -= left_over.bytes();
                    self.entries -= 1;
                }
            }
        }
        true
    }
}

fn empty(lines: usize) -> Vec<Line> {
    std::iter::repeat_with(Line::default).take(lines).collect()
}

#[cfg(test)]
mod tests;
