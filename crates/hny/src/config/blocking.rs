//! Where links may not lead.

use hny_guard::{BlocklistFile, PrivateTargets};

use super::reader::Reader;
use super::safe_browsing::SafeBrowsing;
use super::value::{ValueError, choice};

/// Where links may not lead, beside what the database says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Blocking {
    /// Files with rules.
    pub files: Vec<BlocklistFile>,
    /// Whether links may lead into private address ranges.
    pub private_targets: PrivateTargets,
    /// Who is asked whether a page is harmful, if somebody is.
    pub safe_browsing: Option<SafeBrowsing>,
}

impl Blocking {
    pub(super) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        let files = reader.or("blocklists", Vec::new(), parse_files);
        let words = [("allow", PrivateTargets::Allowed), ("refuse", PrivateTargets::Refused)];
        let private_targets = reader.required("private_targets", |text| choice(text, &words));
        let safe_browsing = SafeBrowsing::read(reader);
        Some(Self { files: files?, private_targets: private_targets?, safe_browsing: safe_browsing? })
    }
}

/// Reads `FILE` and `FILE#COLUMN`, separated by commas.
fn parse_files(text: &str) -> Result<Vec<BlocklistFile>, ValueError> {
    let is_path = |text: &str| !text.is_empty() && !text.starts_with('#') && !text.contains(char::is_control);
    let files = text.split(',').map(str::trim);
    files
        .map(
            |text| {
                if is_path(text) {
                    text.parse().map_err(|_| ValueError::Blocklists)
                } else {
                    Err(ValueError::Blocklists)
                }
            },
        )
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocklists_are_files() {
        let files = parse_files("/etc/hny/hosts, urls.csv#url").unwrap();
        assert_eq!(files, ["/etc/hny/hosts".parse().unwrap(), "urls.csv#url".parse().unwrap()]);
        for text in ["", "a,", ",a", "#url", "a\nb"] {
            assert_eq!(parse_files(text), Err(ValueError::Blocklists), "{text:?}");
        }
    }
}
