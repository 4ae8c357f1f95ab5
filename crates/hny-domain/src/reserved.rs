//! Codes that nobody gets, neither by choice nor by chance.
//!
//! Two kinds: the first path segments that we answer ourselves (a test of the server derives them from its routes), and the
//! names that phishing pages like to wear. Both are compared without regard to case, so that `/API` is not a trap either.

/// First path segments that the service answers itself, now or by an announced part, sorted.
const OWN: &[&str] = &[
    "admin",
    "api",
    "dashboard",
    "docs",
    "health",
    "healthz",
    "login",
    "logout",
    "metrics",
    "qr",
    "ready",
    "readyz",
    "rest",
    "shorten",
    "static",
];

/// Names that a visitor would take for a page of ours or of a bank, sorted.
const DECEPTIVE: &[&str] = &[
    "abuse",
    "account",
    "accounts",
    "billing",
    "confirm",
    "contact",
    "help",
    "invoice",
    "legal",
    "null",
    "oauth",
    "password",
    "payment",
    "privacy",
    "recover",
    "register",
    "reset",
    "secure",
    "security",
    "settings",
    "signin",
    "signup",
    "sso",
    "support",
    "terms",
    "undefined",
    "unlock",
    "update",
    "verify",
    "wallet",
    "webmail",
    "yourls-api",
];

/// Whether `code` is reserved, in any mix of upper and lower case.
pub fn is_reserved(code: &str) -> bool {
    OWN.iter().chain(DECEPTIVE).any(|word| word.eq_ignore_ascii_case(code))
}

/// Whether `segment` is one that we answer ourselves; the routes and this list are held against each other by a test.
pub fn is_own(segment: &str) -> bool {
    OWN.contains(&segment)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_does_not_matter() {
        for word in ["api", "API", "Api", "healthz", "HealthZ", "login", "null", "YOURLS-API"] {
            assert!(is_reserved(word), "{word}");
        }
        for word in ["apis", "a", "docs2", "", "nullo"] {
            assert!(!is_reserved(word), "{word}");
        }
    }

    #[test]
    fn every_reserved_word_is_a_code() {
        for word in OWN.iter().chain(DECEPTIVE) {
            assert!(crate::code::is_code(word.as_bytes()), "{word} could not be a code, so it need not be reserved");
        }
    }

    #[test]
    fn the_lists_are_sorted_and_disjoint() {
        assert!(OWN.is_sorted() && DECEPTIVE.is_sorted());
        assert!(!OWN.iter().any(|word| DECEPTIVE.contains(word)));
    }
}
