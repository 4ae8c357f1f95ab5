//! The layout of an id.

use std::fmt;

#[cfg(test)]
mod tests;

/// The beginning of the milliseconds in ids: 2020-01-01T00:00:00Z, in milliseconds since 1970.
pub const EPOCH_MS: u64 = 1_577_836_800_000;

/// The characters that an id needs as a code: 62^10 < 2^63 < 62^11.
pub const CODE_LENGTH: usize = 11;

pub(super) const SEQUENCE_BITS: u32 = 12;
pub(super) const LAST_SEQUENCE: u64 = (1 << SEQUENCE_BITS) - 1;
const NODE_BITS: u32 = 10;
const FIELD_BITS: u32 = NODE_BITS / 2;
const LAST_FIELD: u8 = (1 << FIELD_BITS) - 1;
/// The last millisecond that 41 bits can say, counted from [`EPOCH_MS`].
pub(super) const LAST_MS: u64 = (1 << 41) - 1;

/// Who makes ids: one of 32 datacenters, and in it one of 32 workers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Node {
    datacenter: u8,
    worker: u8,
}

/// A datacenter or worker above 31.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a {field} id is 0 to {LAST_FIELD}, not {value}")]
pub struct NodeError {
    /// `datacenter` or `worker`.
    pub field: &'static str,
    /// What was given.
    pub value: u8,
}

impl Node {
    /// A node by its two ids, 0 to 31 each.
    pub fn new(datacenter: u8, worker: u8) -> Result<Self, NodeError> {
        for (field, value) in [("datacenter", datacenter), ("worker", worker)] {
            if value > LAST_FIELD {
                return Err(NodeError { field, value });
            }
        }
        Ok(Self { datacenter, worker })
    }

    /// The datacenter, 0 to 31.
    pub fn datacenter(self) -> u8 {
        self.datacenter
    }

    /// The worker in its datacenter, 0 to 31.
    pub fn worker(self) -> u8 {
        self.worker
    }

    fn bits(self) -> u64 {
        u64::from(self.datacenter) << FIELD_BITS | u64::from(self.worker)
    }
}

/// `datacenter/worker`.
impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.datacenter, self.worker)
    }
}

/// A Snowflake id: 63 bits that tell when, by whom and as which of that millisecond it was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Id(u64);

/// A number that is no id: it has 64 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{0} is no Snowflake id; ids are below 2^63")]
pub struct IdError(pub u64);

impl Id {
    /// The id of `instant`, which is the millisecond since the epoch and, in the lowest 12 bits, the sequence in it.
    pub(super) fn of(instant: u64, node: Node) -> Self {
        let (ms, sequence) = (instant >> SEQUENCE_BITS, instant & LAST_SEQUENCE);
        Self(((ms << NODE_BITS | node.bits()) << SEQUENCE_BITS) | sequence)
    }

    /// The id as a number, below 2^63.
    pub fn get(self) -> u64 {
        self.0
    }

    /// When it was made, in milliseconds since 1970, by the clock of its node.
    pub fn unix_ms(self) -> u64 {
        EPOCH_MS + (self.0 >> (NODE_BITS + SEQUENCE_BITS))
    }

    /// Who made it.
    #[expect(clippy::cast_possible_truncation, reason = "only the lowest five bits are wanted")]
    pub fn node(self) -> Node {
        let field = |shift: u32| (self.0 >> shift) as u8 & LAST_FIELD;
        Node { datacenter: field(SEQUENCE_BITS + FIELD_BITS), worker: field(SEQUENCE_BITS) }
    }

    /// Which of its node's ids in that millisecond it is, from 0 to 4,095.
    pub fn sequence(self) -> u16 {
        (self.0 & LAST_SEQUENCE) as u16
    }
}

impl TryFrom<u64> for Id {
    type Error = IdError;

    fn try_from(number: u64) -> Result<Self, IdError> {
        if number >> 63 == 0 { Ok(Self(number)) } else { Err(IdError(number)) }
    }
}

/// For databases, whose integers are signed.
impl From<Id> for i64 {
    fn from(id: Id) -> Self {
        id.0.cast_signed()
    }
}

/// The number in decimal.
impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
