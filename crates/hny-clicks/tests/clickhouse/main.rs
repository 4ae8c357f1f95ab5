//! What is written to a real ClickHouse and read from it: counted once whatever breaks, and the same answers as a plain count.
#![cfg(test)]

mod blocks;
mod counted;
mod engine;
mod statistics;
mod tables;
