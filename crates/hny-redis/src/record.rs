//! What stands under a code: a version, how many changes are announced, and the state.
//!
//! `00000000000000000042 000 2{"link":7,"target":"https://example.com/"}`: twenty digits, three digits, then the format of the
//! rest and the rest. The scripts read the digits, so those never change. The rest may: nodes of two versions run side by
//! side, and what one does not know is not there for it. A format says all that it says, and nothing may be added to it: an
//! older node would send visitors past a rule that it does not know. A new rule is a new format.

use std::borrow::Cow;

use hny_domain::{Lead, LinkId, RedirectStatus, Rules, Timestamp, Version};
use serde::{Deserialize, Serialize};

/// The format of a link.
const LINK: char = '2';

/// The format of a deleted link: nothing more to say.
const DELETED: &str = "-";

/// Where the state begins.
const HEAD: usize = "00000000000000000042 000 ".len();

/// A state as text, without what the scripts put before it.
pub(crate) fn write(lead: Option<Lead<'_>>) -> String {
    let Some(lead) = lead else { return DELETED.to_owned() };
    // A structure of texts and numbers always becomes JSON.
    let json = serde_json::to_string(&Body::of(lead)).unwrap_or_default();
    format!("{LINK}{json}")
}

/// A version as the scripts compare it: as text, because their numbers do not hold all of it.
pub(crate) fn write_version(version: Version) -> String {
    format!("{:020}", version.0)
}

/// What is known by a record: a version and a link, or that there is none. `None` where a change is announced, nothing is
/// known but a version, or another version of us wrote it.
pub(crate) fn read<T>(record: &[u8], take: impl FnOnce(Version, Option<Lead<'_>>) -> T) -> Option<T> {
    let record = std::str::from_utf8(record).ok()?;
    let (head, state) = (record.get(..HEAD)?, record.get(HEAD..)?);
    let (version, pending) = head.trim_end().split_once(' ')?;
    let version = Version(version.parse().ok()?);
    if pending != "000" {
        return None;
    }
    if state == DELETED {
        return Some(take(version, None));
    }
    let body: Body<'_> = serde_json::from_str(state.strip_prefix(LINK)?).ok()?;
    Some(take(version, Some(body.lead(version)?)))
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[expect(clippy::struct_excessive_bools, reason = "each is a rule of its own")]
struct Body<'a> {
    link: i64,
    #[serde(borrow)]
    target: Cow<'a, str>,
    #[serde(default, skip_serializing_if = "is_false")]
    disabled: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    valid_from: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    expires_at: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    redirect_status: Option<u16>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    forward_query: Option<bool>,
    #[serde(default, skip_serializing_if = "is_false")]
    forwards_path: bool,
    #[serde(default, skip_serializing_if = "is_false")]
    is_limited: bool,
    #[serde(default, skip_serializing_if = "is_false")]
    is_locked: bool,
    #[serde(default, skip_serializing_if = "is_false")]
    is_private: bool,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    expired_url: Option<Cow<'a, str>>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands it over so")]
const fn is_false(flag: &bool) -> bool {
    !*flag
}

impl<'a> Body<'a> {
    fn of(lead: Lead<'a>) -> Self {
        // Named one by one, so that whoever adds a rule comes by here, and makes a new format.
        // The version stands before it.
        let Lead { link, target, expired_url, rules, version: _ } = lead;
        let Rules {
            active,
            valid_from,
            expires_at,
            redirect_status,
            forward_query,
            forwards_path,
            is_limited,
            is_locked,
            is_private,
        } = rules;
        Self {
            link: link.0,
            target: Cow::Borrowed(target),
            disabled: !active,
            valid_from: valid_from.map(Timestamp::as_millis),
            expires_at: expires_at.map(Timestamp::as_millis),
            redirect_status: redirect_status.map(RedirectStatus::as_u16),
            forward_query,
            forwards_path,
            is_limited,
            is_locked,
            is_private,
            expired_url: expired_url.map(Cow::Borrowed),
        }
    }

    fn lead(&self, version: Version) -> Option<Lead<'_>> {
        let redirect_status = match self.redirect_status {
            None => None,
            Some(number) => Some(RedirectStatus::try_from(i64::from(number)).ok()?),
        };
        let rules = Rules {
            active: !self.disabled,
            valid_from: self.valid_from.map(Timestamp::from_millis),
            expires_at: self.expires_at.map(Timestamp::from_millis),
            redirect_status,
            forward_query: self.forward_query,
            forwards_path: self.forwards_path,
            is_limited: self.is_limited,
            is_locked: self.is_locked,
            is_private: self.is_private,
        };
        let (link, expired_url) = (LinkId(self.link), self.expired_url.as_deref());
        (!self.target.is_empty()).then_some(Lead { link, target: &self.target, expired_url, rules, version })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(version: u64, pending: u32, state: &str) -> Vec<u8> {
        format!("{} {pending:03} {state}", write_version(Version(version))).into_bytes()
    }

    const PLAIN: Lead<'_> = Lead {
        link: LinkId(7),
        target: "https://example.com/?a=%2F\\\"#é",
        expired_url: None,
        rules: Rules::PLAIN,
        version: Version(u64::MAX),
    };

    #[test]
    fn a_link_comes_out_as_it_went_in() {
        let all = Rules {
            active: false,
            valid_from: Some(Timestamp::from_millis(-1)),
            expires_at: Some(Timestamp::from_millis(i64::MAX)),
            redirect_status: Some(RedirectStatus::PermanentRedirect),
            forward_query: Some(false),
            forwards_path: true,
            is_limited: true,
            is_locked: true,
            is_private: true,
        };
        for (rules, expired_url) in [(Rules::PLAIN, None), (all, Some("https://example.com/\"over\""))] {
            let lead = Lead { rules, expired_url, ..PLAIN };
            let record = record(u64::MAX, 0, &write(Some(lead)));
            let is_same = read(&record, |version, read| (version, read == Some(lead)));
            assert_eq!(is_same, Some((Version(u64::MAX), true)));
        }
        let deleted = record(3, 0, &write(None));
        assert_eq!(read(&deleted, |version, lead| (version, lead.is_none())), Some((Version(3), true)));
    }

    #[test]
    fn an_announced_change_is_nothing_known() {
        assert_eq!(read(&record(3, 1, &write(Some(PLAIN))), |_, _| ()), None);
        assert_eq!(read(&record(3, 0, ""), |_, _| ()), None);
    }

    #[test]
    fn what_another_version_wrote_is_nothing_known() {
        let written = write(Some(PLAIN));
        for state in [
            "2{}",
            "1{}",
            "2",
            "x",
            "--",
            &written.replacen('2', "1", 1),
            &written.replacen('2', "3", 1),
            &written.replace('}', ",\"a\":1}"),
        ] {
            assert_eq!(read(&record(3, 0, state), |_, _| ()), None, "{state}");
        }
        for text in ["", "x", "00000000000000000042 000", "0000000000000000004é 000 -", "-0000000000000000042 000 -"] {
            assert_eq!(read(text.as_bytes(), |_, _| ()), None, "{text}");
        }
        assert_eq!(read(b"\xff\xff", |_, _| ()), None);
    }
}
