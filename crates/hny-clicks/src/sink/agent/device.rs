//! The class of device that an agent string speaks of.

/// Classes, and what strings of such devices have in them. The first one that fits is it: a console has a desktop's words, too, and a
/// tablet a phone's.
const CLASSES: &[(&str, &[&str])] = &[
    ("console", &["PlayStation", "Xbox", "Nintendo"]),
    (
        "tv",
        &[
            "SmartTV",
            "SMART-TV",
            "Smart TV",
            "AppleTV",
            "Apple TV",
            "GoogleTV",
            "Google TV",
            "Android TV",
            "HbbTV",
            "BRAVIA",
            "Roku",
            "CrKey",
            "AFTB",
            "AFTS",
            "AFTM",
            "AFTT",
        ],
    ),
    ("tablet", &["iPad", "Tablet", "tablet", "PlayBook", "Kindle", "Silk/"]),
    ("mobile", &["Mobi", "iPhone", "iPod", "Opera Mini", "Windows Phone", "BlackBerry"]),
    // An Android that is not mobile is a tablet.
    ("tablet", &["Android"]),
];

/// Operating systems that run on desks.
const ON_DESKS: &[&str] = &[
    "Windows",
    "Mac OS X",
    "Linux",
    "Chrome OS",
    "Ubuntu",
    "Fedora",
    "Debian",
    "FreeBSD",
    "OpenBSD",
    "NetBSD",
    "Solaris",
];

/// The class, if it is one that we know.
pub(super) fn class(agent: &str, os: Option<&str>) -> Option<&'static str> {
    let is_in = |(_, words): &&(&str, &[&str])| words.iter().any(|word| agent.contains(word));
    let class = CLASSES.iter().find(is_in).map(|(class, _)| *class);
    class.or_else(|| ON_DESKS.contains(&os?).then_some("desktop"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_class_is_told_from_the_others() {
        for (agent, os, expected) in [
            ("Mozilla/5.0 (Windows NT 10.0; Win64; x64; Xbox; Xbox One)", Some("Windows"), Some("console")),
            ("Mozilla/5.0 (SMART-TV; Linux; Tizen 6.0)", Some("Tizen"), Some("tv")),
            ("Mozilla/5.0 (Linux; Android 14; Pixel 8) Mobile Safari", Some("Android"), Some("mobile")),
            ("Mozilla/5.0 (Linux; Android 13; SM-X900) Safari", Some("Android"), Some("tablet")),
            ("Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) Mobile/15E148", Some("iOS"), Some("tablet")),
            ("Mozilla/5.0 (X11; CrOS x86_64 14541.0.0)", Some("Chrome OS"), Some("desktop")),
            ("Mozilla/5.0 (X11; Linux x86_64)", Some("Linux"), Some("desktop")),
            ("curl/8.5.0", None, None),
        ] {
            assert_eq!(class(agent, os), expected, "{agent}");
        }
    }
}
