//! Whether a form was sent by a page of somebody else: then a visitor did not mean it.

use hny_domain::BaseUrl;
use http::header::{HOST, ORIGIN};
use http::{HeaderMap, HeaderValue};

/// Whether another site had the browser send this. Browsers say so in `Sec-Fetch-Site`, older ones name the page in `Origin`; what says
/// neither is no browser, and no visitor is misused by it.
pub(crate) fn is_cross_site(headers: &HeaderMap, base: &BaseUrl) -> bool {
    match headers.get("sec-fetch-site").map(HeaderValue::as_bytes) {
        Some(b"same-origin" | b"none") => false,
        Some(_) => true,
        None => headers.get(ORIGIN).is_some_and(|origin| !is_ours(origin, headers, base)),
    }
}

/// A proxy may have put another name into `Host`, then it is the base URL's that visitors see.
fn is_ours(origin: &HeaderValue, headers: &HeaderMap, base: &BaseUrl) -> bool {
    let Some((_, authority)) = origin.to_str().ok().and_then(|origin| origin.split_once("://")) else { return false };
    let host = headers.get(HOST).and_then(|host| host.to_str().ok());
    host.is_some_and(|host| host.eq_ignore_ascii_case(authority)) || authority.eq_ignore_ascii_case(base.domain())
}

#[cfg(test)]
mod tests {
    use http::HeaderName;

    use super::*;

    fn cross(fields: &[(&'static str, &'static str)]) -> bool {
        let field = |(name, value): &(&'static str, &'static str)| {
            (HeaderName::from_static(name), HeaderValue::from_static(value))
        };
        let headers = fields.iter().map(field).collect();
        is_cross_site(&headers, &BaseUrl::parse("https://hny.example/s").unwrap())
    }

    #[test]
    fn only_pages_of_ours_send_forms() {
        for (fields, expected) in [
            (&[][..], false),
            (&[("sec-fetch-site", "same-origin")], false),
            (&[("sec-fetch-site", "none")], false),
            (&[("sec-fetch-site", "same-site")], true),
            (&[("sec-fetch-site", "cross-site")], true),
            (&[("sec-fetch-site", "cross-site"), ("origin", "https://hny.example")], true),
            (&[("origin", "https://hny.example")], false),
            (&[("origin", "http://127.0.0.1:8080"), ("host", "127.0.0.1:8080")], false),
            (&[("origin", "https://HNY.example"), ("host", "backend:8080")], false),
            (&[("origin", "https://evil.example"), ("host", "hny.example")], true),
            (&[("origin", "https://hny.example.evil.example"), ("host", "hny.example")], true),
            (&[("origin", "null"), ("host", "hny.example")], true),
            (&[("origin", ""), ("host", "")], true),
        ] {
            assert_eq!(cross(fields), expected, "{fields:?}");
        }
    }
}
