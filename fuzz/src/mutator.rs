//! Inputs that are nearly right: seeds, changed a little, again and again.

use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{Rng, RngExt, SeedableRng};

use crate::Target;

/// How many inputs are kept to go on from, beside the seeds.
const KEPT: usize = 64;

/// An input is not made longer than this.
const LONGEST: usize = 16 << 10;

/// Makes inputs for a target, the same for the same seed.
#[derive(Debug)]
pub struct Mutator {
    random: StdRng,
    words: &'static [&'static str],
    inputs: Vec<Vec<u8>>,
    seeds: usize,
}

impl Mutator {
    /// Begins with the seeds of a target.
    pub fn new(target: &Target, seed: u64) -> Self {
        let inputs: Vec<_> = target.seeds.iter().map(|seed| seed.to_vec()).collect();
        Self { random: StdRng::seed_from_u64(seed), words: target.words, seeds: inputs.len(), inputs }
    }

    /// The next input.
    pub fn next_input(&mut self) -> Vec<u8> {
        let mut input = self.some_input();
        for _ in 0..self.random.random_range(1..=4) {
            self.change(&mut input);
        }
        input.truncate(LONGEST);
        self.keep(&input);
        input
    }

    fn some_input(&mut self) -> Vec<u8> {
        self.inputs.choose(&mut self.random).cloned().unwrap_or_default()
    }

    /// Now and then an input is one to go on from. The seeds stay, or all would end as noise.
    fn keep(&mut self, input: &[u8]) {
        if self.inputs.len() < self.seeds + KEPT {
            self.inputs.push(input.to_vec());
        } else if self.random.random_ratio(1, 16) {
            let place = self.random.random_range(self.seeds..self.inputs.len());
            self.inputs[place] = input.to_vec();
        }
    }

    fn change(&mut self, input: &mut Vec<u8>) {
        let place = self.random.random_range(0..=input.len());
        let end = self.random.random_range(place..=input.len());
        match self.random.random_range(0..8) {
            0 => insert(input, place, self.word()),
            1 => {
                let byte = self.byte();
                input.insert(place, byte);
            }
            2 if place < input.len() => input[place] = self.byte(),
            3 if place < input.len() => input[place] ^= 1 << self.random.random_range(0..8),
            4 => drop(input.drain(place..end)),
            5 => {
                let again = input[place..end].repeat(self.random.random_range(1..=3));
                insert(input, place, &again);
            }
            6 => {
                let other = self.some_input();
                let from = self.random.random_range(0..=other.len());
                input.truncate(place);
                input.extend(&other[from..]);
            }
            _ => input.truncate(end),
        }
    }

    fn word(&mut self) -> &'static [u8] {
        self.words.choose(&mut self.random).map_or(b"", |word| word.as_bytes())
    }

    /// Most are ASCII, or hardly an input would be text.
    fn byte(&mut self) -> u8 {
        let byte = (self.random.next_u32() & 0xff) as u8;
        if self.random.random_ratio(7, 8) { byte & 0x7f } else { byte }
    }
}

fn insert(input: &mut Vec<u8>, place: usize, bytes: &[u8]) {
    input.splice(place..place, bytes.iter().copied());
}
