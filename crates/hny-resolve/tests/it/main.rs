//! The second level, with a real Redis.

#![cfg(test)]

mod shared;
