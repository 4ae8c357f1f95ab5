//! `pages` for libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| (hny_fuzz::pages::TARGET.run)(bytes));
