//! The same answer in JSON, as the description of the API has it. The service sends protobuf; a relay may send this.

use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use hny_domain::Threat;
use serde::Deserialize;

use super::Answer;
use crate::safe_browsing::expressions::FullHash;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SearchHashesResponse {
    #[serde(default)]
    full_hashes: Vec<HashOnList>,
    /// Seconds, such as `300.500s`.
    cache_duration: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct HashOnList {
    full_hash: String,
    #[serde(default)]
    full_hash_details: Vec<Detail>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Detail {
    threat_type: Option<String>,
    #[serde(default)]
    attributes: Vec<String>,
}

/// Reads the body of an answer.
pub(super) fn read(body: &[u8]) -> Option<Answer> {
    let SearchHashesResponse { full_hashes, cache_duration } = serde_json::from_slice(body).ok()?;
    let lifetime = match cache_duration {
        Some(text) => duration(&text)?,
        None => Duration::ZERO,
    };
    Some(Answer::new(full_hashes.iter().filter_map(HashOnList::hit).collect(), lifetime))
}

impl HashOnList {
    fn hit(&self) -> Option<(FullHash, Threat)> {
        let threat = self.full_hash_details.iter().find_map(Detail::threat)?;
        let text = self.full_hash.trim_end_matches('=');
        let bytes = STANDARD.decode(&self.full_hash).or_else(|_| URL_SAFE_NO_PAD.decode(text)).ok()?;
        Some((bytes.try_into().ok()?, threat))
    }
}

impl Detail {
    /// The threat; none of a detail with anything in it that is not known here, as in protobuf.
    fn threat(&self) -> Option<Threat> {
        let threat = match self.threat_type.as_deref()? {
            "MALWARE" => Threat::Malware,
            "SOCIAL_ENGINEERING" => Threat::SocialEngineering,
            "UNWANTED_SOFTWARE" => Threat::UnwantedSoftware,
            "POTENTIALLY_HARMFUL_APPLICATION" => Threat::HarmfulApplication,
            _ => return None,
        };
        self.attributes.is_empty().then_some(threat)
    }
}

fn duration(text: &str) -> Option<Duration> {
    let seconds = text.strip_suffix('s')?.parse().ok().filter(|seconds: &f64| seconds.is_finite())?;
    // Less than nothing is no time to keep something for; what does not fit is cut by whoever keeps it.
    Duration::try_from_secs_f64(seconds.clamp(0.0, 1e9)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_names_of_the_description_are_read() {
        let hash = STANDARD.encode([0xab; 32]);
        let body = |details: &str| {
            format!(
                r#"{{"fullHashes":[{{"fullHash":"{hash}","fullHashDetails":{details}}}],"cacheDuration":"300.500s"}}"#
            )
        };
        for (details, threats) in [
            (r#"[{"threatType":"MALWARE"}]"#, vec![Threat::Malware]),
            (r#"[{"threatType":"SOCIAL_ENGINEERING","attributes":[]}]"#, vec![Threat::SocialEngineering]),
            (r#"[{"threatType":"NEW"},{"threatType":"UNWANTED_SOFTWARE"}]"#, vec![Threat::UnwantedSoftware]),
            (r#"[{"threatType":"MALWARE","attributes":["CANARY"]}]"#, vec![]),
            (r#"[{"threatType":"MALWARE","attributes":["FRAME_ONLY"]}]"#, vec![]),
            (r#"[{"threatType":"MALWARE","attributes":["NEW"]}]"#, vec![]),
            ("[{}]", vec![]),
            ("[]", vec![]),
        ] {
            let answer = read(body(details).as_bytes()).unwrap();
            let expected: Vec<_> = threats.into_iter().map(|threat| ([0xab; 32], threat)).collect();
            assert_eq!(answer.hits, expected, "{details}");
            assert_eq!(answer.lifetime, Duration::from_millis(300_500));
        }
        assert_eq!(read(b"{}"), Some(Answer::new(Vec::new(), Duration::ZERO)));
    }

    #[test]
    fn what_is_no_answer_is_refused() {
        for body in [
            "",
            "[]",
            "<html>",
            r#"{"cacheDuration":"5"}"#,
            r#"{"cacheDuration":"xs"}"#,
            r#"{"cacheDuration":"NaNs"}"#,
            r#"{"fullHashes":7}"#,
        ] {
            assert_eq!(read(body.as_bytes()), None, "{body}");
        }
        let lifetime =
            |text: &str| read(format!(r#"{{"cacheDuration":"{text}"}}"#).as_bytes()).map(|answer| answer.lifetime);
        assert_eq!(lifetime("-5s"), Some(Duration::ZERO));
        assert_eq!(lifetime("1e300s"), Some(Duration::from_hours(24)));
    }
}
