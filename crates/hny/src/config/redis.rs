//! Which Redis.

use hny_redis::{Address, Prefix};

use super::reader::Reader;

/// Which Redis, and what of it is ours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redis {
    /// Where it is; `None` is no Redis.
    pub address: Option<Address>,
    /// What the names of our keys begin with.
    pub prefix: Prefix,
}

impl Redis {
    pub(super) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let address = reader.or("redis_url", None, |text| Ok(Some(Address::parse(text)?)));
        let prefix = reader.required("redis_prefix", |text| Ok(Prefix::parse(text)?));
        Some(Self { address: address?, prefix: prefix? })
    }
}
