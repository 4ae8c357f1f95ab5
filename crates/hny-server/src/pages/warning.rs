//! The page before a page that is said to be harmful. Its words are as careful as the provider's terms demand: nothing is certain, and
//! who says so is named.

use askama::Template;
use hny_domain::{Suspicion, Threat};

use crate::body::Response;

#[derive(Template)]
#[template(path = "warning.html")]
struct Warning<'a> {
    prefix: &'a str,
    /// Where the link leads; `None` is not told.
    target: Option<&'a str>,
    title: &'static str,
    detail: &'static str,
    more: &'static str,
    advisory: &'static str,
}

/// The page before a target that is suspected; visitors go on if they follow its last link.
pub(crate) fn warning(target: Option<&str>, suspicion: Suspicion, prefix: &str) -> Response {
    super::render(&Warning::new(target, suspicion, prefix))
}

impl<'a> Warning<'a> {
    fn new(target: Option<&'a str>, Suspicion { threat, advisory }: Suspicion, prefix: &'a str) -> Self {
        let (title, detail, more) = words(threat);
        Self { prefix, target, title, detail, more, advisory }
    }
}

/// The title, what may happen, and where to read more.
const fn words(threat: Threat) -> (&'static str, &'static str, &'static str) {
    match threat {
        Threat::SocialEngineering => (
            "Warning: suspected deceptive page",
            "The page that this link leads to may be a forgery of another site, made to get at passwords, card numbers or other \
             personal information. What is entered there may be abused.",
            "https://developers.google.com/search/docs/monitor-debug/security/social-engineering",
        ),
        Threat::Malware => (
            "Warning: the page may harm your computer",
            "The page that this link leads to is suspected of malicious code, which could be put on your computer without your \
             consent.",
            "https://developers.google.com/search/docs/monitor-debug/security/malware",
        ),
        Threat::UnwantedSoftware => (
            "Warning: the page may offer harmful programs",
            "The page that this link leads to is suspected of tricking people into installing programs that harm their browsing, for \
             example by changing the home page or by showing more advertisements.",
            "https://developers.google.com/search/docs/monitor-debug/security/malware",
        ),
        Threat::HarmfulApplication => (
            "Warning: the page may offer harmful applications",
            "The page that this link leads to is suspected of tricking people into installing applications that are likely to harm \
             their device.",
            "https://developers.google.com/android/play-protect/potentially-harmful-applications",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Threat; 4] =
        [Threat::Malware, Threat::SocialEngineering, Threat::UnwantedSoftware, Threat::HarmfulApplication];

    fn page(target: Option<&str>, threat: Threat) -> String {
        let suspicion = Suspicion { threat, advisory: "https://advisory.example/" };
        Warning::new(target, suspicion, "/s").render().unwrap()
    }

    #[test]
    fn every_warning_is_qualified_and_says_by_whom_it_is() {
        for threat in ALL {
            let page = page(Some("https://evil.example/"), threat);
            assert!(page.contains("may") && page.contains("suspected"), "{page}");
            assert!(
                page.contains("<a href=\"https://advisory.example/\" rel=\"noreferrer\">Advisory provided by Google"),
                "{page}"
            );
            assert!(page.contains(words(threat).2) && page.contains("/s/static/hny.css"), "{page}");
            assert!(page.contains("No protection is perfect"), "{page}");
        }
    }

    #[test]
    fn whoever_goes_on_does_so_by_a_link_and_nothing_in_a_target_runs() {
        let evil = "https://evil.example/?a=<script>\"onclick=x&amp;'";
        let page = page(Some(evil), Threat::Malware);
        assert!(!page.contains("<script") && !page.contains("\"onclick") && !page.contains("http-equiv"), "{page}");
        assert_eq!(page.matches("href=\"https://evil.example/").count(), 1, "{page}");
        assert!(page.contains("rel=\"nofollow noreferrer noopener\""), "{page}");
    }

    #[test]
    fn a_target_that_is_not_told_is_on_no_page() {
        let page = page(None, Threat::Malware);
        assert!(!page.contains("nofollow") && !page.contains("It leads to"), "{page}");
    }
}
