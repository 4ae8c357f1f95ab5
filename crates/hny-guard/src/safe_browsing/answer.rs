//! What Safe Browsing answers: `SearchHashesResponse` of its API v5, in protobuf.

mod json;

use std::time::Duration;

use hny_domain::Threat;
use prost::Message;

use super::expressions::FullHash;

/// No answer is kept for longer.
const LONGEST: Duration = Duration::from_hours(24);

/// What was found, and for how long that may be kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Answer {
    /// Hashes that are on a list, with a prefix that was asked for.
    pub(crate) hits: Vec<(FullHash, Threat)>,
    /// Counts for every prefix that was asked for, whether something has it or not.
    pub(crate) lifetime: Duration,
}

#[derive(Clone, PartialEq, Message)]
struct SearchHashesResponse {
    #[prost(message, repeated, tag = "1")]
    full_hashes: Vec<HashOnList>,
    #[prost(message, optional, tag = "2")]
    cache_duration: Option<Span>,
}

#[derive(Clone, PartialEq, Message)]
struct HashOnList {
    #[prost(bytes = "vec", tag = "1")]
    full_hash: Vec<u8>,
    #[prost(message, repeated, tag = "2")]
    details: Vec<Detail>,
}

#[derive(Clone, PartialEq, Message)]
struct Detail {
    #[prost(int32, tag = "1")]
    threat: i32,
    #[prost(int32, repeated, tag = "2")]
    attributes: Vec<i32>,
}

/// `google.protobuf.Duration`.
#[derive(Clone, PartialEq, Message)]
struct Span {
    #[prost(int64, tag = "1")]
    seconds: i64,
    #[prost(int32, tag = "2")]
    nanos: i32,
}

impl Answer {
    /// These hits, kept for no longer than anything is.
    pub(super) fn new(hits: Vec<(FullHash, Threat)>, lifetime: Duration) -> Self {
        Self { hits, lifetime: lifetime.min(LONGEST) }
    }

    /// Reads the body of an answer, `is_json` or not; `None` if it is none. What is on a list for other reasons than to keep people from a
    /// page is left out.
    pub(crate) fn read(body: &[u8], is_json: bool) -> Option<Self> {
        if is_json { json::read(body) } else { Self::read_protobuf(body) }
    }

    fn read_protobuf(body: &[u8]) -> Option<Self> {
        let SearchHashesResponse { full_hashes, cache_duration } = SearchHashesResponse::decode(body).ok()?;
        let hit = |found: HashOnList| {
            let threat = found.details.iter().find_map(Detail::threat)?;
            Some((found.full_hash.try_into().ok()?, threat))
        };
        let lifetime = cache_duration.map(|span| span.duration()).unwrap_or_default();
        Some(Self::new(full_hashes.into_iter().filter_map(hit).collect(), lifetime))
    }
}

impl Detail {
    /// The threat. A detail with anything in it that is not known here must be disregarded as a whole; 1 among the attributes is
    /// a trial that is not to be enforced, 2 is about frames within pages.
    fn threat(&self) -> Option<Threat> {
        let threat = match self.threat {
            1 => Threat::Malware,
            2 => Threat::SocialEngineering,
            3 => Threat::UnwantedSoftware,
            4 => Threat::HarmfulApplication,
            _ => return None,
        };
        self.attributes.is_empty().then_some(threat)
    }
}

impl Span {
    fn duration(&self) -> Duration {
        let (seconds, nanos) = (u64::try_from(self.seconds), u32::try_from(self.nanos));
        seconds
            .ok()
            .zip(nanos.ok())
            .map(|(seconds, nanos)| Duration::new(seconds, nanos.min(999_999_999)))
            .unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn answer(details: &[(i32, &[i32])], hash: Vec<u8>, cache_duration: Option<Span>) -> Answer {
        let details =
            details.iter().map(|(threat, attributes)| Detail { threat: *threat, attributes: attributes.to_vec() });
        let full_hashes = vec![HashOnList { full_hash: hash, details: details.collect() }];
        Answer::read(&SearchHashesResponse { full_hashes, cache_duration }.encode_to_vec(), false).unwrap()
    }

    fn threats(details: &[(i32, &[i32])]) -> Vec<Threat> {
        answer(details, vec![7; 32], None).hits.into_iter().map(|(_, threat)| threat).collect()
    }

    #[test]
    fn bytes_as_they_come_from_the_wire() {
        // One hash with MALWARE, kept for 300.5 s: written by hand after the encoding's specification.
        let mut body = vec![0x0a, 0x26, 0x0a, 0x20];
        body.extend([0xab; 32]);
        body.extend([0x12, 0x02, 0x08, 0x01, 0x12, 0x09, 0x08, 0xac, 0x02, 0x10, 0x80, 0xca, 0xb5, 0xee, 0x01]);
        let answer = Answer::read(&body, false).unwrap();
        assert_eq!(answer.hits, [([0xab; 32], Threat::Malware)]);
        assert_eq!(answer.lifetime, Duration::from_millis(300_500));
        assert_eq!(Answer::read(&[], false), Some(Answer::new(Vec::new(), Duration::ZERO)));
        assert_eq!(Answer::read(b"{\"fullHashes\":[]}", false), None, "JSON is none");
    }

    #[test]
    fn a_detail_with_anything_unknown_is_disregarded() {
        assert_eq!(threats(&[(2, &[])]), [Threat::SocialEngineering]);
        assert_eq!(
            (threats(&[(3, &[])]), threats(&[(4, &[])])),
            (vec![Threat::UnwantedSoftware], vec![Threat::HarmfulApplication])
        );
        for details in [&[(0, &[][..])][..], &[(6, &[])], &[(99, &[])], &[(1, &[1])], &[(1, &[2])], &[(1, &[9])], &[]] {
            assert_eq!(threats(details), [], "{details:?}");
        }
        assert_eq!(threats(&[(99, &[]), (1, &[1]), (2, &[])]), [Threat::SocialEngineering]);
    }

    #[test]
    fn a_hash_of_another_length_and_an_odd_lifetime_do_no_harm() {
        assert_eq!(answer(&[(1, &[])], vec![1; 31], None).hits, []);
        for (seconds, nanos, expected) in [(-1, 0, 0), (0, -1, 0), (i64::MAX, 0, 86_400), (60, 0, 60)] {
            let answer = answer(&[], vec![1; 32], Some(Span { seconds, nanos }));
            assert_eq!(answer.lifetime, Duration::from_secs(expected));
        }
    }

    proptest! {
        #[test]
        fn no_bytes_are_too_much(body in proptest::collection::vec(any::<u8>(), 0..100)) {
            let _ = (Answer::read(&body, false), Answer::read(&body, true));
        }
    }
}
