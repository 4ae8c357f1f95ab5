//! Ids of 63 bits that many nodes make without asking each other, each greater than all the node made before.
//!
//! An [`Id`] is, from the top: 41 bits of milliseconds since [`EPOCH_MS`], 5 bits of datacenter, 5 bits of worker and 12 bits of
//! sequence, so 4,096 ids a millisecond for each [`Node`], until the year 2089. Two nodes may not be the same at the same time;
//! whoever hands nodes out sees to that, with the times of their [`Lease`]s.
//!
//! The time is passed in as a [`Clock`], and the generator never sleeps: it says how long to wait ([`Next::Wait`]).
//!
//! As a code an id would show when it was made, and needs 11 characters of base62 anyway: put it through
//! [`Permutation`](crate::Permutation) at [`CODE_LENGTH`], whose 62^11 values hold every id.

mod clock;
mod generator;
mod id;
mod state;

pub use clock::Clock;
pub use generator::{Generator, Lease, Next, NextError, StartError};
pub use id::{CODE_LENGTH, EPOCH_MS, Id, IdError, Node, NodeError};
