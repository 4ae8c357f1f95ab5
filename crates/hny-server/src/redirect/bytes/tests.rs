use http::HeaderValue;

use super::*;

fn ending(is_last: bool) -> Ending {
    Ending { is_last, date: Date::of(784_111_777) }
}

#[test]
fn a_redirect_goes_behind_what_is_there() {
    let mut output = b"before|".to_vec();
    let location = "https://example.com/a?b=c#d";
    assert!(put_redirect(location, RedirectStatus::Found, CachePolicy::NoStore, &ending(true), &mut output));
    let expected = "before|HTTP/1.1 302 Found\r\nlocation: https://example.com/a?b=c#d\r\n\
        cache-control: private, no-store\r\nx-robots-tag: noindex\r\ncontent-length: 0\r\nconnection: close\r\n\
        date: Sun, 06 Nov 1994 08:49:37 GMT\r\n\r\n";
    assert_eq!(String::from_utf8_lossy(&output), expected);
}

#[test]
fn a_damaged_target_writes_no_fields() {
    for location in ["https://a/\r\nset-cookie: b", "https://a/\0", "https://ä/", "https://a/\u{7f}"] {
        let mut output = Vec::new();
        let put = put_redirect(location, RedirectStatus::Found, CachePolicy::NoStore, &ending(false), &mut output);
        assert!(!put && output.is_empty(), "{location:?}");
    }
}

#[test]
fn a_response_has_all_its_fields_and_to_head_no_body() {
    let mut response = Response::new(Body::from(b"body".to_vec()));
    *response.status_mut() = http::StatusCode::GONE;
    response.headers_mut().insert("a", HeaderValue::from_static("b"));
    // Said once, and by us.
    response.headers_mut().insert("content-length", HeaderValue::from_static("0"));
    let head = "HTTP/1.1 410 Gone\r\na: b\r\ncontent-length: 4\r\ndate: Sun, 06 Nov 1994 08:49:37 GMT\r\n\r\n";
    for (is_head, body) in [(true, ""), (false, "body")] {
        let mut output = Vec::new();
        put_response(&response, is_head, &ending(false), &mut output);
        assert_eq!(String::from_utf8_lossy(&output), format!("{head}{body}"));
    }
}
