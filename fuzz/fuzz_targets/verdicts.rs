//! `verdicts` for libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| (hny_fuzz::verdicts::TARGET.run)(bytes));
