//! How long each scheme takes for one code. Goals: base62 under 20 ns, a random code of 7 under 100 ns, a Snowflake id under
//! 60 ns on one thread and no collapse on two, FF1 under 5 µs.

#![expect(clippy::expect_used, reason = "a bench that cannot be set up should end")]

use std::time::Instant;

use divan::{Bencher, black_box};
use hny_codes::snowflake::{Clock, EPOCH_MS, Generator, Lease, Node};
use hny_codes::{Alphabet, HashCodes, Permutation, RandomCodes, Unlucky, base62};
use rand::SeedableRng;
use rand::rngs::StdRng;

fn main() {
    divan::main();
}

const NUMBER: u64 = 3_521_614_606_207;

#[divan::bench]
fn base62_encode() -> impl Sized {
    base62::encode(black_box(NUMBER))
}

#[divan::bench]
fn base62_encode_padded() -> impl Sized {
    base62::encode_padded(black_box(NUMBER), black_box(7))
}

#[divan::bench]
fn base62_decode() -> impl Sized {
    base62::decode(black_box("ZZZZZZZ"))
}

#[divan::bench]
fn base62_encode_u128() -> impl Sized {
    base62::encode_u128(black_box(u128::MAX))
}

#[divan::bench]
fn base62_decode_u128() -> impl Sized {
    base62::decode_u128(black_box("7N42dgm5tFLK9N8MT7fHC7"))
}

#[divan::bench(args = [7, 22])]
fn random(bencher: Bencher<'_, '_>, length: usize) {
    let codes = RandomCodes::new(Alphabet::Base62, length).expect("a valid length");
    let mut rng = StdRng::seed_from_u64(1);
    bencher.bench_local(|| codes.draw(&mut rng));
}

#[divan::bench(args = [7, 11])]
fn permuted(bencher: Bencher<'_, '_>, length: usize) {
    let permutation = Permutation::new("a key for benches, of 32 characters", length).expect("a valid key");
    bencher.bench(|| permutation.permute(black_box(NUMBER - 1)));
}

#[divan::bench]
fn permuted_invert(bencher: Bencher<'_, '_>) {
    let permutation = Permutation::new("a key for benches, of 32 characters", 7).expect("a valid key");
    bencher.bench(|| permutation.invert(black_box("ZZZZZZZ")));
}

/// The real clock, running a thousand times as fast: at its own speed every bench would end at 4,096 ids a millisecond, 244 ns.
struct Fast(Instant);

impl Clock for Fast {
    fn unix_ms(&self) -> u64 {
        EPOCH_MS + self.monotonic_ms()
    }

    fn monotonic_ms(&self) -> u64 {
        let elapsed = self.0.elapsed();
        elapsed.as_secs() * 1_000_000 + u64::from(elapsed.subsec_micros())
    }
}

// Samples so long that two threads really run against each other.
#[divan::bench(threads = [1, 2], sample_size = 200_000, sample_count = 20)]
fn snowflake(bencher: Bencher<'_, '_>) {
    let clock = Fast(Instant::now());
    let node = Node::new(0, 0).expect("a valid node");
    let generator = Generator::new(node, Lease::UNLIMITED, &clock).expect("a clock after the epoch");
    bencher.bench(|| generator.next(&clock));
}

#[divan::bench]
fn snowflake_clock_alone(bencher: Bencher<'_, '_>) {
    let clock = Fast(Instant::now());
    bencher.bench(|| clock.unix_ms());
}

#[divan::bench]
fn hash(bencher: Bencher<'_, '_>) {
    let codes = HashCodes::new(7).expect("a valid length");
    bencher.bench(|| codes.code(black_box("7"), black_box("https://example.com/a/usual/path?with=query"), 0));
}

#[divan::bench]
fn unlucky(bencher: Bencher<'_, '_>) {
    let unlucky = Unlucky::default();
    bencher.bench(|| unlucky.contains_unlucky(black_box("aB3x9zQ")));
}
