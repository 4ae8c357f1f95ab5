use proptest::prelude::*;

use super::*;

/// Shapes that other shorteners changed on the way (B01, B05, B06, B09, B10, B11): each must come out as it went in.
#[test]
fn what_goes_in_comes_out() {
    for text in [
        "https://files.example.com/v0/o/images%2F1.png?alt=media",
        "https://app.example.com/c?email=a%2Bb%40example.com&ued=https%3A%2F%2Fshop.example.com%2F%3Fq%3Dx%2520y%26z%3D1",
        "https://example.com/?abc+123",
        "https://example.com/wiki/2+2_(TV)?x=2+2",
        "https://example.com/t?123",
        "https://example.com/t?7=x&007=y&a[]=1&a[]=2&a=3",
        "https://example.com/t?a&a=&=a&&",
        "https://app.example.com/#/discover?_g=(a:!t,b:'x%3By')&_a=(c:!(_s))",
        r"https://term.example.com/404#[[0,1,%22say%20\%22hi\%22%22]]",
        r"https://example.com/path?q=a\b#x\y",
        "https://web.example.com/save/https://example.org/a//b",
        "https://example.com/a;b=c,d/%E4%BD%A0?%ff%00#%",
        "http://[2001:db8::1]:8080/x?y=1",
        "http://192.0.2.7:8080/",
        "https://example.com/?",
        "https://example.com/#",
        "https://xn--mnchen-3ya.example/",
    ] {
        assert_eq!(Target::parse(text).unwrap().as_str(), text);
    }
}

#[test]
fn what_is_no_header_is_written_as_the_serialiser_writes_it() {
    for (text, written) in [
        (
            "https://example.org/My%20Folder/My File.txt?q=a:\"b c\"+label:\"👋 x\"",
            "https://example.org/My%20Folder/My%20File.txt?q=a:%22b%20c%22+label:%22%F0%9F%91%8B%20x%22",
        ),
        ("  https://example.org/a\tb\r\nc  ", "https://example.org/abc"),
        ("https://example.org/\0?\0#\0x", "https://example.org/%00?%00#%00x"),
        ("HTTPS://MÜNCHEN.example:443", "https://xn--mnchen-3ya.example/"),
        (r"https://example.org\a\b", "https://example.org/a/b"),
    ] {
        assert_eq!(Target::parse(text).unwrap().as_str(), written, "{text:?}");
    }
}

#[test]
fn what_is_no_target_is_refused_with_its_reason() {
    use url::ParseError;
    for (text, error) in [
        ("", TargetError::Empty),
        (" \t", TargetError::Empty),
        ("example.org", TargetError::Relative),
        ("example.org/p", TargetError::Relative),
        ("//example.org/p", TargetError::Relative),
        ("/local", TargetError::Relative),
        ("http%3A%2F%2Fexample.org%2Fp", TargetError::Relative),
        ("example.org:8080/x", TargetError::Scheme),
        ("mailto:a@example.com?subject=Test", TargetError::Scheme),
        ("tel:+15550100", TargetError::Scheme),
        ("market://details?id=org.example.app", TargetError::Scheme),
        ("ftp://example.org/f", TargetError::Scheme),
        ("javascript:alert(1)", TargetError::Scheme),
        ("data:text/html,x", TargetError::Scheme),
        ("file:///etc/passwd", TargetError::Scheme),
        ("https://https://example.org", TargetError::DoubledScheme),
        ("http://http://example.org", TargetError::DoubledScheme),
        ("https://user:pw@example.org:5050/a", TargetError::UserInfo),
        ("https://bank.example@evil.example/login", TargetError::UserInfo),
        ("https://:pw@example.org/", TargetError::UserInfo),
        ("http://http%3a%2f%2fexample.org", TargetError::Invalid(ParseError::IdnaError)),
        ("https://example.org:65536/", TargetError::Invalid(ParseError::InvalidPort)),
        ("http://2001:db8::5/foo", TargetError::Invalid(ParseError::InvalidPort)),
        ("https://", TargetError::Invalid(ParseError::EmptyHost)),
    ] {
        assert_eq!(Target::parse(text), Err(error), "{text:?}");
    }
}

#[test]
fn the_limit_is_counted_after_serialisation() {
    let base = "https://example.org/";
    let fits = format!("{base}{}", "a".repeat(MAX_LENGTH - base.len()));
    assert_eq!(Target::parse(&fits).unwrap().as_str(), fits);
    assert_eq!(Target::parse(&format!("{fits}a")), Err(TargetError::TooLong(MAX_LENGTH + 1)));
    let spaces = format!("{base}?{}x", " ".repeat(MAX_LENGTH / 3));
    assert!(matches!(Target::parse(&spaces), Err(TargetError::TooLong(_))), "three bytes for each space");
}

#[test]
fn a_query_goes_before_the_fragment() {
    for (target, query, joined) in [
        ("https://example.com/p?a=1#frag", "b=2", "https://example.com/p?a=1&b=2#frag"),
        ("https://example.com/p", "b=2", "https://example.com/p?b=2"),
        ("https://example.com/p#f?g", "b", "https://example.com/p?b#f?g"),
        ("https://example.com/p?", "b=2", "https://example.com/p?b=2"),
        ("https://example.com/p?a&", "b=2", "https://example.com/p?a&b=2"),
        ("https://example.com/p?x?y", "a[]=1&+%2B&&", "https://example.com/p?x?y&a[]=1&+%2B&&"),
        ("https://example.com/p", "q=ä", "https://example.com/p?q=%C3%A4"),
    ] {
        assert_eq!(with_query(Target::parse(target).unwrap().as_str(), query), joined);
    }
}

proptest! {
    #[test]
    fn a_target_is_a_fixed_point_and_a_legal_header(text in "https?://[a-z]{1,9}\\.example[/?#]\\PC{0,60}") {
        if let Ok(target) = Target::parse(&text) {
            prop_assert!(target.as_str().bytes().all(|byte| byte.is_ascii_graphic()));
            prop_assert_eq!(Target::parse(target.as_str()), Ok(target.clone()));
            let forwarded = with_query(target.as_str(), &text.replace('#', ""));
            prop_assert!(forwarded.bytes().all(|byte| byte.is_ascii_graphic()));
        }
    }

    #[test]
    fn no_text_panics(text in "\\PC{0,80}") {
        let _ = Target::parse(&text);
    }
}

#[test]
fn a_path_is_appended_untouched() {
    for (target, rest, expected) in [
        ("https://example.com/", "x", "https://example.com/x"),
        ("https://example.com/docs", "x", "https://example.com/docs/x"),
        ("https://example.com/docs/", "x/", "https://example.com/docs/x/"),
        ("https://example.com/docs?a=/#b", "x", "https://example.com/docs/x?a=/#b"),
        ("https://example.com/#/route?x", "y", "https://example.com/y#/route?x"),
        ("https://example.com/", "/evil.example/", "https://example.com//evil.example/"),
        ("https://example.com/", "\\evil.example", "https://example.com/\\evil.example"),
        ("https://example.com/a", "../%2e%2E/b%2Fc//d", "https://example.com/a/../%2e%2E/b%2Fc//d"),
        ("https://example.com/a", "http://host//x", "https://example.com/a/http://host//x"),
        ("https://example.com/a", "@evil.example", "https://example.com/a/@evil.example"),
        ("https://example.com/a", "ü x", "https://example.com/a/%C3%BC%20x"),
    ] {
        assert_eq!(with_path(target, rest), expected);
        let host = Url::parse(&with_path(target, rest)).unwrap();
        assert_eq!(host.host_str(), Some("example.com"));
    }
}
