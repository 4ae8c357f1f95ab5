//! What a caller may do with links, as the databases ask it.

use hny_domain::{Caller, KeyId};

/// Which links a caller may change. A link without an owner is nobody's but the admins': in SQL `owner = NULL` is never true.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rights {
    pub(crate) owner: Option<KeyId>,
    pub(crate) is_admin: bool,
}

impl From<Caller> for Rights {
    fn from(caller: Caller) -> Self {
        Self { owner: caller.owner(), is_admin: caller.is_admin() }
    }
}
