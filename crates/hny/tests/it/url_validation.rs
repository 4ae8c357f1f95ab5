//! What is no target is refused when the link is made, with words that say what would be right.

use serde_json::json;

use crate::document::{assert_bad_field, assert_problem};
use crate::site::{Site, program};

fn assert_refused_by(site: &Site, urls: &[&str]) {
    let mut admin = site.admin();
    for url in urls {
        for path in ["/api/shorten", "/api/v1/links"] {
            assert_bad_field(&admin.send("POST", path, &json!({"originalUrl": url})), "#/originalUrl");
        }
    }
}

fn assert_refused(urls: &[&str]) {
    assert_refused_by(&Site::shared(), urls);
}

#[test]
fn b14_a_missing_or_doubled_scheme() {
    assert_refused(&[
        "",
        " ",
        "\t\r\n",
        "example.org",
        "example.org/p",
        "//example.org/p",
        r"\\example.org\p",
        "example.org:8080/x",
        "http%3A%2F%2Fexample.org%2Fp",
        "https://https://example.org",
        "http://https://example.org",
        "https://http://example.org",
        "HTTPS://HTTPS://example.org",
        "http://http%3a%2f%2fexample.org",
        "/local",
        "?q",
        "#f",
        "localhost",
        "https",
        "https:",
        "https://",
        "https:///",
        "https://?x",
        "https://#x",
        "://example.org",
        "http//example.org",
        "<https://example.org>",
        "null",
        "undefined",
    ]);
}

#[test]
fn b14_one_slash_too_few_or_too_many_is_repaired_as_browsers_do() {
    let site = Site::shared();
    for url in ["http:/example.org", "http:example.org", "http:///example.org", r"http:\\example.org"] {
        let made = site.admin().shorten(&json!({"originalUrl": url}));
        assert_eq!((made.status, &made.json()["originalUrl"]), (201, &json!("http://example.org/")), "{url}");
    }
}

#[test]
fn b15_other_schemes() {
    assert_refused(&[
        "mailto:a@example.com?subject=Test",
        "tel:+15550100",
        "market://details?id=org.example.app",
        "ftp://example.org/f",
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        " javascript:alert(1)",
        "java\nscript:alert(1)",
        "javascript://example.org/%0aalert(1)",
        "data:text/html,<script>alert(1)</script>",
        "vbscript:x",
        "file:///etc/passwd",
        "blob:https://example.org/1",
        "view-source:https://example.org",
        "ws://example.org",
        "about:blank",
        "intent://example.org#Intent;scheme=https;end",
        "httpss://example.org",
        "http+x://example.org",
    ]);
}

#[test]
fn b18_hosts_and_ports_that_do_not_exist() {
    assert_refused(&[
        "https://example.org:65536/",
        "https://example.org:-1/",
        "https://example.org:x/",
        "https://example.org:80:80/",
        "http://2001:db8::5/foo",
        "http://[2001:db8::5/foo",
        "http://[2001:db8::g]/",
        "http://[::1%25eth0]/",
        "http://256.0.0.1/",
        "http://1.2.3.4.5/",
        "http://exa mple.org/",
        "http://exa<mple.org/",
        "http://exa%2fmple.org/",
        "http://exa%00mple.org/",
        "http://exa\0mple.org/",
        "http://\u{ad}/",
        "http://xn--/",
    ]);
}

#[test]
fn b19_user_names_and_passwords() {
    assert_refused(&[
        "https://user:pw@example.org:5050/a",
        "https://bank.example@evil.example/login",
        "https://user@example.org/",
        "https://:pw@example.org/",
        "https://%20@example.org/",
        "https://user:pw@@example.org/",
    ]);
    let site = Site::shared();
    // An @ behind the host is no user name, and a backslash ends the host as it does in a browser.
    for (url, written) in [
        ("https://example.org/@user:pw@x?a@b#c@d", "https://example.org/@user:pw@x?a@b#c@d"),
        (r"https://bank.example\@evil.example", "https://bank.example/@evil.example"),
    ] {
        let made = site.admin().shorten(&json!({"originalUrl": url}));
        assert_eq!((made.status, &made.json()["originalUrl"]), (201, &json!(written)), "{url}");
    }
}

#[test]
fn b20_over_the_limit() {
    let site = Site::shared();
    let front = "https://example.org/";
    let one_more = format!("{front}{}", "a".repeat(8_193 - front.len()));
    let encoded = format!("{front}?{}", " ".repeat(2_724));
    for url in [&*one_more, &*encoded, &format!("{front}#{}", "f".repeat(60_000))] {
        let answer = site.admin().shorten(&json!({"originalUrl": url.to_owned() + "x"}));
        assert_bad_field(&answer, "#/originalUrl");
        assert!(answer.text().contains("8192"), "the limit is named: {}", answer.text());
    }
    let megabyte = site.admin().shorten(&json!({"originalUrl": format!("{front}{}", "a".repeat(1_000_000))}));
    assert_problem(&megabyte, 413, "body-too-large");
    assert!(megabyte.text().contains("65536"), "the limit is named: {}", megabyte.text());
}

#[test]
fn the_words_say_what_would_be_right() {
    let site = Site::shared();
    for (url, words) in [
        ("example.org", "https://"),
        ("ftp://example.org", "http:// or https://"),
        ("https://u:p@example.org", "@"),
        ("https://https://example.org", "twice"),
        (&site.base(), "itself"),
    ] {
        let answer = site.admin().shorten(&json!({"originalUrl": url}));
        assert_bad_field(&answer, "#/originalUrl");
        assert!(answer.json()["errors"][0]["detail"].as_str().unwrap().contains(words), "{url} {}", answer.text());
    }
}

#[test]
fn this_machine_on_our_port_is_us_by_any_name() {
    let site = Site::shared();
    let port = site.hny().address().port();
    for host in [
        "127.0.0.1",
        "localhost",
        "LocalHost.",
        "abc.localhost",
        "127.1",
        "127.0.0.01",
        "0x7f.0.0.1",
        "0177.0.0.1",
        "2130706433",
        "127.255.255.254",
        "0.0.0.0",
        "0",
        "[::1]",
        "[::]",
        "[0:0:0:0:0:0:0:1]",
        "[::ffff:127.0.0.1]",
        "%6c%6fcalhost",
        "１２７.0.0.1",
        "127。0。0。1",
    ] {
        for scheme in ["http", "https"] {
            assert_refused(&[&format!("{scheme}://{host}:{port}/abc")]);
        }
    }
    let other = if port == 1 { 2 } else { 1 };
    let made = site.admin().shorten(&json!({"originalUrl": format!("http://localhost:{other}/")}));
    assert_eq!(made.status, 201, "another port is another service: {}", made.text());
}

#[test]
fn the_base_urls_host_is_us_in_any_spelling() {
    let site = Site::start(&program().env("HNY_BASE_URL", "https://sho.example"));
    assert_refused_by(
        &site,
        &[
            "https://sho.example",
            "https://sho.example/abc",
            "http://sho.example/",
            "https://SHO.Example/",
            "https://sho.example.:443/",
            "http://sho.example:80/",
            "https://s%68o.example/",
            "https://ｓho.example/",
            "https://sho。example/",
            "https:sho.example",
            r"https:\\sho.example\abc",
            "https://s\tho.example/",
        ],
    );
    for url in
        ["https://sho.example:8443/", "https://www.sho.example/", "https://sho.example.org/", "https://xsho.example/"]
    {
        assert_eq!(site.admin().shorten(&json!({"originalUrl": url})).status, 201, "{url}");
    }
}

#[test]
fn a_base_url_with_a_port_is_us_on_that_port() {
    let site = Site::start(&program().env("HNY_BASE_URL", "http://sho.example:8080"));
    assert_refused_by(&site, &["http://sho.example:8080/", "https://sho.example:8080/", "http://sho.example.:08080/x"]);
    assert_eq!(site.admin().shorten(&json!({"originalUrl": "https://sho.example/"})).status, 201);
}
