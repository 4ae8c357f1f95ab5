//! The recorded fact that a person followed a link.

use crate::LinkId;

/// A person followed a link. It is made where the answer is made, on the hot road: small, and all of it known there already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Click {
    /// Which link was followed.
    pub link: LinkId,
}
