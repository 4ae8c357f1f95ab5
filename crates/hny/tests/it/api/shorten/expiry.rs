//! How an expiry is written: RFC 3339, with an offset, in the future.

use serde_json::json;

use super::TARGET;
use crate::document::assert_bad_field;
use crate::instant::{millis_ahead, now};
use crate::site::Site;

#[test]
fn any_offset_is_understood_and_answered_in_utc() {
    let site = Site::shared();
    for (sent, answered) in [
        ("2099-01-01T12:00:00Z", "2099-01-01T12:00:00.000Z"),
        ("2099-01-01t12:00:00z", "2099-01-01T12:00:00.000Z"),
        ("2099-01-01T12:00:00+02:00", "2099-01-01T10:00:00.000Z"),
        ("2099-01-01T00:30:00+05:45", "2098-12-31T18:45:00.000Z"),
        ("2099-12-31T23:59:59-12:00", "2100-01-01T11:59:59.000Z"),
        ("2099-01-01T12:00:00-00:00", "2099-01-01T12:00:00.000Z"),
        ("2099-01-01T12:00:00.1Z", "2099-01-01T12:00:00.100Z"),
        ("2099-01-01T12:00:00.123999999Z", "2099-01-01T12:00:00.123Z"),
        ("2096-02-29T00:00:00Z", "2096-02-29T00:00:00.000Z"),
        ("9999-12-30T00:00:00Z", "9999-12-30T00:00:00.000Z"),
    ] {
        let made = site.admin().shorten(&json!({"originalUrl": TARGET, "expiresAt": sent}));
        assert_eq!((made.status, &made.json()["expiresAt"]), (201, &json!(answered)), "{sent}");
    }
}

#[test]
fn a_time_that_two_people_could_read_differently_is_refused() {
    let site = Site::shared();
    for sent in [
        "",
        "tomorrow",
        "2099-01-01",
        "2099-01-01T12:00:00",
        "2099-01-01T12:00Z",
        "2099-01-01 12:00:00Z",
        "2099-01-01T12:00:00+0200",
        "2099-01-01T12:00:00+02",
        "2099-01-01T12:00:00Z[Europe/Berlin]",
        "2099-01-01T12:00:00.Z",
        "2099-1-1T12:00:00Z",
        "99-01-01T12:00:00Z",
        "+002099-01-01T12:00:00Z",
        "01/01/2099",
        "4070908800",
        "2099-02-30T12:00:00Z",
        "2097-02-29T12:00:00Z",
        "2099-13-01T12:00:00Z",
        "2099-01-01T25:00:00Z",
        "2099-01-01T12:60:00Z",
        "2099-01-01T12:00:00+99:00",
        "9999-12-31T23:59:59-12:00",
        " 2099-01-01T12:00:00Z",
        "2099-01-01T12:00:00Z ",
        "２０99-01-01T12:00:00Z",
        "2099-01-01T12:00:00Z\0",
    ] {
        let answer = site.admin().shorten(&json!({"originalUrl": TARGET, "expiresAt": sent}));
        assert_bad_field(&answer, "#/expiresAt");
    }
}

#[test]
fn a_time_before_the_year_0_cannot_be_written_and_is_refused() {
    let site = Site::shared();
    let create = |start: &str| site.admin().shorten(&json!({"originalUrl": TARGET, "validFrom": start}));
    assert_eq!(create("0000-01-01T00:00:00Z").status, 201);
    assert_bad_field(&create("0000-01-01T00:00:00+12:00"), "#/validFrom");
}

#[test]
fn a_link_may_not_begin_with_its_end_behind_it() {
    let site = Site::shared();
    for sent in ["1970-01-01T00:00:00Z", "0000-01-01T00:00:00Z", &now().to_string()] {
        let answer = site.admin().shorten(&json!({"originalUrl": TARGET, "expiresAt": sent}));
        assert_bad_field(&answer, "#/expiresAt");
    }
    // This hour, but of a zone in which it was over two hours ago.
    let ahead = millis_ahead(3_600_000).to_string().replace('Z', "+03:00");
    let answer = site.admin().shorten(&json!({"originalUrl": TARGET, "expiresAt": ahead}));
    assert_bad_field(&answer, "#/expiresAt");
}
