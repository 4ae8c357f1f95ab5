//! An exact sliding window.

use std::sync::LazyLock;
use std::time::Duration;

use redis::Script;

use crate::{Redis, Unavailable};

static SCRIPT: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!("scripts/limit.lua")));

/// Whether one more is allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It is, and it is counted.
    Allowed {
        /// How many more would be allowed now.
        remaining: u32,
        /// When all would be allowed again, if nobody asked.
        reset: Duration,
    },
    /// It is not, and it is not counted.
    Refused {
        /// When one would be allowed.
        retry_after: Duration,
        /// When all would be allowed again, if nobody asked.
        reset: Duration,
    },
}

impl Redis {
    /// Counts one under `key`, unless `max` were counted within the `window` before now. Over all nodes, and in any window of
    /// that length, at most `max` are allowed; the clock is that of Redis.
    ///
    /// Redis may write its keys to disk: no key may name a person or an address, only a keyed hash of one.
    pub async fn limit(&self, key: &str, max: u32, window: Duration) -> Result<Verdict, Unavailable> {
        let key = self.limit_key(key);
        let window = u64::try_from(window.as_micros()).unwrap_or(u64::MAX);
        let mut call = SCRIPT.key(key);
        call.arg(max).arg(window);
        let answer = self.ask(async |redis| call.invoke_async(redis).await).await?;
        let (is_allowed, remaining, retry_after, reset): (bool, u32, u64, u64) = answer;
        let (retry_after, reset) = (Duration::from_micros(retry_after), Duration::from_micros(reset));
        Ok(if is_allowed { Verdict::Allowed { remaining, reset } } else { Verdict::Refused { retry_after, reset } })
    }

    /// Takes back one that was counted under `key`: the youngest. That is the one that is meant, unless another was counted since;
    /// then what is left leaves the window sooner, by as much as lies between the two.
    pub async fn give_back(&self, key: &str) -> Result<(), Unavailable> {
        let key = self.limit_key(key);
        self.ask(async |redis| redis::cmd("RPOP").arg(&key).query_async::<Option<i64>>(redis).await).await?;
        Ok(())
    }

    fn limit_key(&self, key: &str) -> String {
        format!("{}limit:{key}", self.prefix())
    }
}
