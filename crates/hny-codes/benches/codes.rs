//! How long each scheme takes for one code. Goals: base62 under 20 ns, a random code of 7 under 100 ns, a Snowflake id under
//! 60 ns on one thread and no collapse on two, FF1 under 5 µs.

#![expect(
    clippy::expect_used,
    reason = "a bench that cannot be set up should end"
)]

use divan::{Bencher, black_box};
use hny_codes::{Alphabet, Permutation, RandomCodes, base62};
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
    let permutation =
        Permutation::new("a key for benches, of 32 characters", length).expect("a valid key");
    bencher.bench(|| permutation.permute(black_box(NUMBER - 1)));
}

#[divan::bench]
fn permuted_invert(bencher: Bencher<'_, '_>) {
    let permutation =
        Permutation::new("a key for benches, of 32 characters", 7).expect("a valid key");
    bencher.bench(|| permutation.invert(black_box("ZZZZZZZ")));
}
