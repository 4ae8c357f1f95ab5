//! `/.well-known/security.txt` (RFC 9116): whom to tell of a hole in this installation.

use std::fmt::Write as _;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::response::IntoResponse;
use hny_domain::Timestamp;
use http::HeaderValue;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS};

use crate::app::App;
use crate::body::for_router;
use crate::cache_policy::CachePolicy;
use crate::problem::{nothing_here, wants_html};

/// How long it may be believed. The RFC advises less than a year.
const LIFETIME: Duration = Duration::from_hours(180 * 24);

const DAY: i64 = 86_400_000;

/// `GET /.well-known/security.txt`, where the settings name a contact.
pub(crate) async fn security(State(app): State<App>, request: Request) -> axum::response::Response {
    if app.security_contacts.is_empty() {
        return for_router(nothing_here(&app, wants_html(request.headers())));
    }
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8")),
        (CACHE_CONTROL, CachePolicy::Asset.header()),
        (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    ];
    (headers, text(&app.security_contacts, app.clock.now())).into_response()
}

/// The same on all nodes, all day long.
fn text(contacts: &[String], now: Timestamp) -> String {
    let mut text = String::new();
    for contact in contacts {
        // Writing into a string cannot fail.
        let _ = writeln!(text, "Contact: {contact}");
    }
    let day = now.as_millis().div_euclid(DAY) * DAY;
    let lifetime = i64::try_from(LIFETIME.as_millis()).unwrap_or(DAY);
    let _ = writeln!(text, "Expires: {}\nPreferred-Languages: en", Timestamp::from_millis(day + lifetime));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_holds_for_half_a_year_and_is_the_same_all_day() {
        let contacts = ["mailto:security@example.com".to_owned(), "https://example.com/report".to_owned()];
        let text_at = |time: &str| text(&contacts, Timestamp::parse(time).unwrap());
        let morning = text_at("2026-11-30T00:00:00Z");
        assert_eq!(morning, text_at("2026-11-30T23:59:59.999Z"));
        assert_eq!(
            morning,
            "Contact: mailto:security@example.com\nContact: https://example.com/report\n\
             Expires: 2027-05-29T00:00:00.000Z\nPreferred-Languages: en\n"
        );
    }
}
