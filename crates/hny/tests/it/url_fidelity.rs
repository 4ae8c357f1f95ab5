//! What goes in comes out (promise 1): through the API, the database, the cache and a real socket.

use serde_json::json;

use crate::site::Site;

/// Goes in as `input`; must come out as `written` by every way, before and after an edit of something else.
fn assert_comes_out(input: &str, written: &str) {
    let site = Site::shared();
    let (mut admin, mut visitor) = (site.admin(), site.visitor());
    let made = admin.shorten(&json!({"originalUrl": input}));
    assert_eq!((made.status, &made.json()["originalUrl"]), (201, &json!(written)), "{input}");
    let path = format!("/{}", made.json()["shortCode"].as_str().unwrap());
    for title in ["first", "second"] {
        for method in ["GET", "HEAD"] {
            let visit = visitor.request(method, &path, &[], b"");
            assert_eq!((visit.status, visit.headers("location")), (302, vec![written]), "{method} {input}");
        }
        let read = admin.read(&path).json();
        assert_eq!(read["originalUrl"], written);
        // What was read is sent back whole, as a form that edits a title does.
        let edited = admin.edit(&path, &json!({"originalUrl": read["originalUrl"], "title": title}));
        assert_eq!((edited.status, &edited.json()["originalUrl"]), (200, &json!(written)), "{input}");
    }
    assert_eq!(admin.edit(&path, &json!({"title": "third"})).json()["originalUrl"], written);
    assert_eq!(visitor.get(&path).headers("location"), [written]);
}

fn assert_unchanged(urls: &[&str]) {
    for url in urls {
        assert_comes_out(url, url);
    }
}

#[test]
fn b01_percent_escapes_are_never_decoded() {
    assert_unchanged(&[
        "https://files.example.com/v0/o/images%2F1.png?alt=media",
        "https://app.example.com/c?email=a%2Bb%40example.com&ued=https%3A%2F%2Fshop.example.com%2F%3Fq%3Dx%2520y%26z%3D1",
        "https://example.com/%7Euser/%41%2e%2E/%25%252F",
        "https://example.com/%e4%bd%a0?%E4%BD%A0#%e4",
        "https://example.com/%ff%fe?%ff%00%0d%0a#%0D%0A",
        "https://example.com/100%?50%&%zz#%",
    ]);
}

#[test]
fn b05_a_plus_stays_a_plus() {
    assert_unchanged(&["https://example.com/?abc+123", "https://example.com/wiki/2+2_(TV)?x=2+2"]);
}

#[test]
fn b06_names_order_and_repetition_in_a_query_stay() {
    assert_unchanged(&[
        "https://example.com/t?123",
        "https://example.com/t?7=x&007=y&a[]=1&a[]=2&a=3",
        "https://example.com/t?b=1&a=2&b=1&&=&=x&y=&z",
        "https://example.com/t?a;b;c?d?e",
        "https://example.com/?",
        "https://example.com/?&",
    ]);
}

#[test]
fn b09_the_fragment_stays() {
    assert_unchanged(&[
        "https://app.example.com/#/discover?_g=(a:!t,b:'x%3By')&_a=(c:!(_s))",
        "https://example.com/#",
        "https://example.com/?#?#a#b",
        "https://example.com/p#:~:text=one,two",
    ]);
}

#[test]
fn b10_a_backslash_is_never_lost() {
    assert_unchanged(&[
        r"https://term.example.com/404#[[0,1,%22say%20\%22hi\%22%22]]",
        r"https://example.com/path?q=a\b#x\y",
        "https://example.com/a%5Cb",
    ]);
    // In a path a browser reads it as a slash.
    assert_comes_out(r"https://example.com\a\b?c\d", r"https://example.com/a/b?c\d");
}

#[test]
fn b11_slashes_and_dots_in_a_target_stay() {
    assert_unchanged(&[
        "https://web.example.com/save/https://example.org/a//b",
        "https://example.com//",
        "https://example.com///a//b/",
        "https://example.com/?../..//",
        "https://example.com/...",
        "https://example.com/a;b=c,d/$&'()*!:@~._-",
    ]);
}

#[test]
fn b18_addresses_and_ports_stay() {
    assert_unchanged(&[
        "http://[2001:db8::1]:8080/x?y=1",
        "http://192.0.2.7:8080/",
        "https://example.org:1/",
        "https://example.org:65535/",
        "http://example.org:443/",
    ]);
    assert_comes_out("https://example.org:443/", "https://example.org/");
    assert_comes_out("http://[2001:DB8:0::1]:80/", "http://[2001:db8::1]/");
}

#[test]
fn b21_what_no_header_may_hold_is_percent_encoded_once() {
    assert_comes_out(
        "https://example.org/My%20Folder/My File.txt?q=a:\"b c\"+label:\"👋 x\"",
        "https://example.org/My%20Folder/My%20File.txt?q=a:%22b%20c%22+label:%22%F0%9F%91%8B%20x%22",
    );
    assert_comes_out("https://example.org/ä?ö#ü", "https://example.org/%C3%A4?%C3%B6#%C3%BC");
    assert_comes_out(
        "https://example.org/<>\"`{}?<>\"#<>\"`",
        "https://example.org/%3C%3E%22%60%7B%7D?%3C%3E%22#%3C%3E%22%60",
    );
    assert_comes_out("https://MÜNCHEN.example/", "https://xn--mnchen-3ya.example/");
    assert_comes_out("https://example.org/\u{7f}\u{80}\u{feff}", "https://example.org/%7F%C2%80%EF%BB%BF");
}

#[test]
fn no_header_can_be_smuggled_into_an_answer() {
    assert_comes_out(
        "https://example.org/a\r\nSet-Cookie: x=1\r\n\r\n<b>",
        "https://example.org/aSet-Cookie:%20x=1%3Cb%3E",
    );
    assert_comes_out("\t https://example.org/a\tb\n ", "https://example.org/ab");
    assert_comes_out("https://example.org/%0d%0aSet-Cookie:x", "https://example.org/%0d%0aSet-Cookie:x");
}

/// A URL of this many bytes, a good part of it percent escapes.
fn of_length(front: &str, length: usize) -> String {
    let filler = "%2Fa%20b%C3%A4c";
    front.chars().chain(filler.chars().cycle()).take(length).collect::<String>()
}

#[test]
fn b20_long_urls_come_out_whole_up_to_the_limit() {
    for length in [2_000, 2_049, 7_900, 8_192] {
        for front in
            ["https://example.org/", "https://example.org/?", "https://example.org/#", "https://example.org/?a#"]
        {
            let url = of_length(front, length);
            assert_eq!(url.len(), length);
            assert_comes_out(&url, &url);
        }
    }
    let fragment = of_length("https://example.org/p?q=1#", 3_000);
    assert_comes_out(&fragment, &fragment);
}

#[test]
fn b20_the_limit_counts_what_is_stored() {
    // One byte that is sent is three that are stored, and the other way round.
    let spaces = format!("https://example.org/?{}x", " ".repeat(2_000));
    assert_comes_out(&spaces, &format!("https://example.org/?{}x", "%20".repeat(2_000)));
    let dots = format!("https://example.org/{}x", "a/../".repeat(5_000));
    assert_comes_out(&dots, "https://example.org/x");
}
