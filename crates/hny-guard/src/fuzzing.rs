//! What a fuzzer needs to see of what is read from outside: URLs as they stand on lists, and what providers answer.

use hny_domain::Timestamp;

use crate::canonical::Canonical;
use crate::safe_browsing::{answer, expressions, web_risk};

/// The canonical form of a URL as one text; `None` for what names no host.
pub fn canonical(url: &[u8]) -> Option<String> {
    let Canonical { scheme, host, path, query } = Canonical::of(url)?;
    let query = query.map(|query| format!("?{query}")).unwrap_or_default();
    Some(format!("{scheme}://{host}{path}{query}"))
}

/// What of a URL may be on a list.
pub fn expressions(url: &str) -> Vec<String> {
    expressions::texts(url)
}

/// Reads what Safe Browsing answers, in JSON or in protobuf: how many hits there are, and for how many seconds that is kept.
pub fn read_hashes(body: &[u8], is_json: bool) -> Option<(usize, u64)> {
    answer::Answer::read(body, is_json).map(|answer| (answer.hits.len(), answer.lifetime.as_secs()))
}

/// Reads what Web Risk answers, likewise.
pub fn read_url(body: &[u8]) -> Option<(usize, u64)> {
    let answer = web_risk::read(body, [0; 32], Timestamp::from_millis(0))?;
    Some((answer.hits.len(), answer.lifetime.as_secs()))
}
