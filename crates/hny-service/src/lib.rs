#![doc = include_str!("../README.md")]

pub mod abuse;
pub mod code_key;
pub mod error;
pub mod generator;
pub mod ids;
pub mod keys;
pub mod links;
pub mod randomness;
pub mod receipts;
pub mod screen;
pub mod secret;
mod shared;

pub use abuse::{AbusePage, AbuseReports};
pub use code_key::{CodeKey, CodeKeyError};
pub use error::Error;
pub use generator::{Generator, Numbers, Scheme};
pub use ids::{Ids, IdsError};
pub use keys::{IssuedKey, KeyError, Keys};
pub use links::{CreatePolicy, Created, Links, Making, Numbered, Parts, Told, Wish};
pub use randomness::Randomness;
pub use receipts::{Answer, Begun, Receipts, Request, Sender, Turn};
pub use screen::Screen;
