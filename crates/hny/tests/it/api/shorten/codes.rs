//! Codes that callers choose, and codes that are drawn.

use std::collections::BTreeSet;
use std::thread;

use serde_json::json;

use super::TARGET;
use crate::caller::text;
use crate::document::{assert_bad_field, assert_fields};
use crate::site::Site;

#[test]
fn the_grammar_is_kept() {
    let site = Site::shared();
    for code in ["a", "0", "_", "-", "--", "AZaz09_-", "hny_1_x", &"x".repeat(64)] {
        let made = site.admin().shorten(&json!({"originalUrl": TARGET, "customCode": code}));
        assert_eq!(made.status, 201, "{code} {}", made.text());
        assert_eq!(site.visitor().get(&format!("/{code}")).header("location"), Some(TARGET), "{code}");
        site.admin().delete(&format!("/{code}"));
    }
}

#[test]
fn what_no_browser_would_send_back_as_it_is_is_refused() {
    let site = Site::shared();
    for code in [
        "",
        " ",
        " a",
        "a ",
        "a b",
        "a.b",
        "a/b",
        "a%61",
        "a+",
        "a?b",
        "a#b",
        "a\\b",
        "~a",
        "🍞",
        "\u{e4}",
        "a\u{308}",
        "ａ",
        "а",
        "a\0",
        "a\n",
        "..",
        ".well-known",
        "<script>",
        &"x".repeat(65),
        &"x".repeat(10_000),
    ] {
        let answer = site.admin().shorten(&json!({"originalUrl": TARGET, "customCode": code}));
        assert_bad_field(&answer, "#/customCode");
    }
}

#[test]
fn the_paths_that_the_service_answers_itself_are_reserved_in_any_case() {
    let site = Site::shared();
    for word in [
        "api",
        "shorten",
        "healthz",
        "readyz",
        "static",
        "metrics",
        "docs",
        "admin",
        "login",
        "logout",
        "rest",
        "health",
        "dashboard",
        "null",
        "undefined",
        "account",
        "verify",
        "password",
        "paypal-never-mind",
    ] {
        let title: String = word[..1].to_uppercase() + &word[1..];
        let mixed: String =
            word.char_indices().map(|(at, c)| if at % 2 == 0 { c.to_ascii_uppercase() } else { c }).collect();
        for code in [word, &word.to_uppercase(), &title, &mixed] {
            let answer = site.admin().shorten(&json!({"originalUrl": TARGET, "customCode": code}));
            if word == "paypal-never-mind" {
                assert_eq!(answer.status, 201, "a word that is not reserved is free, so this test can fail");
            } else {
                assert_bad_field(&answer, "#/customCode");
            }
        }
    }
}

#[test]
fn the_real_routes_answer_after_somebody_tried_to_take_them() {
    let site = Site::shared();
    for (code, path, status) in [
        ("healthz", "/healthz", 200),
        ("readyz", "/readyz", 200),
        ("static", "/static/hny.css", 200),
        ("robots.txt", "/robots.txt", 200),
        ("favicon.ico", "/favicon.ico", 204),
        ("api", "/api/v1/links/abc", 401),
        ("shorten", "/shorten", 405),
        ("metrics", "/metrics", 404),
    ] {
        for code in [code, &code.to_uppercase()] {
            let answer = site.admin().shorten(&json!({"originalUrl": TARGET, "customCode": code}));
            assert_bad_field(&answer, "#/customCode");
        }
        assert_eq!(site.visitor().get(path).status, status, "{path}");
    }
}

#[test]
fn a_taken_code_is_a_409_and_stays_with_who_has_it() {
    let site = Site::shared();
    let mut admin = site.admin();
    admin.create(&json!({"originalUrl": TARGET, "customCode": "mine"}));
    for path in ["/api/shorten", "/api/v1/links"] {
        let answer = admin.send("POST", path, &json!({"originalUrl": "https://other.example/", "customCode": "mine"}));
        assert_fields(&answer, 409, "code-taken", &["#/customCode"]);
        assert!(!answer.text().contains(TARGET));
    }
    assert_eq!(site.visitor().get("/mine").header("location"), Some(TARGET));
}

#[test]
fn of_twenty_who_want_one_code_exactly_one_gets_it() {
    let site = Site::shared();
    let statuses: Vec<(u16, String)> = thread::scope(|scope| {
        let tries: Vec<_> = (0..20)
            .map(|number| {
                let site = &site;
                scope.spawn(move || {
                    let target = format!("https://example.org/{number}");
                    let fields = json!({"originalUrl": target, "customCode": "dup"});
                    (site.visitor().post_json("/api/shorten", &fields).status, target)
                })
            })
            .collect();
        tries.into_iter().map(|attempt| attempt.join().unwrap()).collect()
    });
    let winners: Vec<_> = statuses.iter().filter(|(status, _)| *status == 201).collect();
    assert_eq!(winners.len(), 1, "{statuses:?}");
    assert!(statuses.iter().all(|(status, _)| matches!(status, 201 | 409)), "{statuses:?}");
    assert_eq!(site.visitor().get("/dup").header("location"), Some(&*winners[0].1));
    assert_eq!(site.admin().delete("/dup").status, 204);
    assert_eq!(site.admin().delete("/dup").status, 404);
}

#[test]
fn two_hundred_at_once_get_two_hundred_codes() {
    let site = Site::shared();
    let create_ten = || {
        let mut visitor = site.visitor();
        let mut make = |_| {
            let made = visitor.post_json("/api/shorten", &json!({"originalUrl": TARGET}));
            assert_eq!(made.status, 201, "{}", made.text());
            text(&made.json(), "shortCode")
        };
        (0..10).map(&mut make).collect::<Vec<_>>()
    };
    let codes: Vec<String> = thread::scope(|scope| {
        let creators: Vec<_> = (0..20).map(|_| scope.spawn(create_ten)).collect();
        creators.into_iter().flat_map(|creator| creator.join().unwrap()).collect()
    });
    assert_eq!(codes.iter().collect::<BTreeSet<_>>().len(), 200);
    let mut visitor = site.visitor();
    assert!(codes.iter().all(|code| visitor.get(&format!("/{code}")).header("location") == Some(TARGET)));
}

#[test]
fn nobody_can_guess_a_code_from_its_neighbours() {
    let site = Site::shared();
    let mut admin = site.admin();
    let rows = vec![json!({"originalUrl": TARGET}); 500];
    let made = admin.send("POST", "/api/v1/links/bulk", &json!({"create": rows})).json();
    let codes: Vec<_> = made["results"].as_array().unwrap().iter().map(|row| text(&row["link"], "shortCode")).collect();
    let rising = codes.windows(2).filter(|pair| pair[0] < pair[1]).count();
    assert_eq!(codes.len(), 500);
    assert!((200..300).contains(&rising), "{rising} of 499 are greater than the one before");
    // Four places in common come once in 400,000 pairs of random codes.
    let alike = |pair: &[String]| pair[0].bytes().zip(pair[1].bytes()).filter(|(a, b)| a == b).count();
    assert!(codes.windows(2).all(|pair| alike(pair) < 5), "{codes:?}");
}

#[test]
fn drawn_codes_follow_the_settings() {
    let program = crate::site::program().env("HNY_CODE_LENGTH", "12").env("HNY_CODE_ALPHABET", "unambiguous");
    let site = Site::start(&program);
    let mut admin = site.admin();
    for _ in 0..30 {
        let code = text(&admin.shorten(&json!({"originalUrl": TARGET})).json(), "shortCode");
        assert!(code.len() == 12 && !code.contains(['0', 'O', '1', 'l', 'I']), "{code}");
    }
}
