//! Whose doings are counted.

use std::hash::Hash;

use hny_domain::LinkId;

use crate::Client;

/// Who is counted.
pub trait Counted: Copy + Eq + Hash {
    /// Different bytes for different ones.
    fn bytes(self) -> [u8; 9];
}

impl Counted for Client {
    fn bytes(self) -> [u8; 9] {
        Self::bytes(self)
    }
}

impl Counted for LinkId {
    fn bytes(self) -> [u8; 9] {
        let mut bytes = [0; 9];
        bytes[1..].copy_from_slice(&self.0.to_be_bytes());
        bytes
    }
}
