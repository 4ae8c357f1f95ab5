#![doc = include_str!("../README.md")]

pub mod error;
pub mod generator;
pub mod keys;
pub mod links;
pub mod secret;

pub use error::Error;
pub use generator::{Generator, Randomness};
pub use keys::{IssuedKey, KeyError, Keys};
pub use links::{CreatePolicy, Links};
