//! What Web Risk answers: JSON of `uris:search`, v1.

use std::time::Duration;

use hny_domain::{Threat, Timestamp};
use serde::Deserialize;
use url::Url;

use super::answer::Answer;
use super::expressions::FullHash;
use super::kept::WARNING;

/// The lists that are asked about.
pub(super) const THREATS: &[&str] = &["MALWARE", "SOCIAL_ENGINEERING", "UNWANTED_SOFTWARE"];

/// How long is kept what the service says no time for.
const LIFETIME: Duration = WARNING;

#[derive(Deserialize)]
struct SearchUrisResponse {
    threat: Option<OnList>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct OnList {
    threat_types: Vec<String>,
    /// After that the match may not be kept.
    expire_time: Option<String>,
}

/// What the service is told of a URL: neither its fragment, which stays with the browser, nor user and password.
pub(super) fn told(url: &str) -> String {
    let Ok(mut parsed) = Url::parse(url) else { return String::new() };
    parsed.set_fragment(None);
    // They fail for URLs without a host, which no target is.
    let _ = (parsed.set_username(""), parsed.set_password(None));
    parsed.into()
}

/// Reads the body of an answer about the URL with this hash, that came at `now`; `None` if it is none.
pub(crate) fn read(body: &[u8], hash: FullHash, now: Timestamp) -> Option<Answer> {
    let SearchUrisResponse { threat } = serde_json::from_slice(body).ok()?;
    let Some(OnList { threat_types, expire_time }) = threat else { return Some(Answer::new(Vec::new(), LIFETIME)) };
    let lifetime = match expire_time {
        Some(text) => now.until(Timestamp::parse(&text).ok()?).min(LIFETIME),
        None => LIFETIME,
    };
    let threat = threat_types.iter().find_map(|name| match &**name {
        "MALWARE" => Some(Threat::Malware),
        "SOCIAL_ENGINEERING" => Some(Threat::SocialEngineering),
        "UNWANTED_SOFTWARE" => Some(Threat::UnwantedSoftware),
        _ => None,
    });
    Some(Answer::new(threat.map(|threat| (hash, threat)).into_iter().collect(), lifetime))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HASH: FullHash = [7; 32];

    fn answer(body: &str) -> Option<Answer> {
        read(body.as_bytes(), HASH, Timestamp::parse("2030-01-01T00:00:00Z").unwrap())
    }

    #[test]
    fn the_first_threat_that_is_known_counts() {
        let hits = |body: &str| answer(body).map(|answer| answer.hits);
        assert_eq!(hits("{}"), Some(vec![]));
        let body = r#"{"threat":{"threatTypes":["NEW","SOCIAL_ENGINEERING"],"expireTime":"2030-01-01T00:00:00Z"}}"#;
        assert_eq!(hits(body), Some(vec![(HASH, Threat::SocialEngineering)]));
        assert_eq!(hits(r#"{"threat":{"threatTypes":["NEW"]}}"#), Some(vec![]));
        for body in [
            "",
            "[]",
            "<html>",
            r#"{"threat":7}"#,
            r#"{"threat":{}}"#,
            r#"{"threat":{"threatTypes":["MALWARE"],"expireTime":"soon"}}"#,
        ] {
            assert_eq!(hits(body), None, "{body}");
        }
    }

    #[test]
    fn a_match_is_kept_until_it_expires_and_for_half_an_hour_at_most() {
        let lifetime = |time: &str| {
            let body = format!(r#"{{"threat":{{"threatTypes":["MALWARE"],"expireTime":"{time}"}}}}"#);
            answer(&body).unwrap().lifetime
        };
        assert_eq!(lifetime("2030-01-01T00:05:00.123456789Z"), Duration::from_millis(300_123));
        assert_eq!(lifetime("2030-01-02T00:00:00Z"), WARNING);
        assert_eq!(lifetime("2029-12-31T23:59:59Z"), Duration::ZERO);
        assert_eq!(answer("{}").unwrap().lifetime, WARNING);
    }

    #[test]
    fn nothing_is_told_that_no_server_is_asked_for() {
        assert_eq!(told("https://user:word@a.example:8443/b?c=%2F#d"), "https://a.example:8443/b?c=%2F");
        assert_eq!(told("https://a.example/#"), "https://a.example/");
    }
}
