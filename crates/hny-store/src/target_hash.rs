//! The hash by which links to the same target are found.

use hny_domain::Target;
use sha2::{Digest as _, Sha256};

/// The first 8 bytes of the SHA-256 of the target, big-endian, as the databases' signed integer. Two targets may share it:
/// whoever looks by it compares the targets too.
pub(crate) fn of(target: &Target) -> i64 {
    let digest: [u8; 32] = Sha256::digest(target.as_str()).into();
    digest[..8].iter().fold(0, |hash, &byte| hash << 8 | i64::from(byte))
}
