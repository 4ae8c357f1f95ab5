use proptest::prelude::*;

use super::*;

fn calendar(zone: &str) -> Calendar {
    Calendar::named(zone).unwrap_or_else(|| panic!("{zone} is a zone"))
}

fn at(text: &str) -> Timestamp {
    Timestamp::parse(text).unwrap()
}

/// The beginnings from one moment to before another, in UTC and shortened: `10-25T22:00`.
fn beginnings(zone: &str, interval: Interval, (from, to): (&str, &str)) -> Vec<String> {
    let calendar = calendar(zone);
    let starts = std::iter::successors(calendar.next(interval, at(from)), |start| calendar.next(interval, *start));
    starts.take_while(|start| *start < at(to)).map(|start| start.to_string()[5..16].to_owned()).collect()
}

#[test]
fn days_have_as_many_hours_as_they_have() {
    let spring = ("2026-03-28T12:00:00Z", "2026-03-31T00:00:00Z");
    assert_eq!(beginnings("Europe/Berlin", Interval::Day, spring), ["03-28T23:00", "03-29T22:00", "03-30T22:00"]);
    let autumn = ("2026-10-24T12:00:00Z", "2026-10-27T00:00:00Z");
    assert_eq!(beginnings("Europe/Berlin", Interval::Day, autumn), ["10-24T22:00", "10-25T23:00", "10-26T23:00"]);
    let hours = |from, to| beginnings("Europe/Berlin", Interval::Hour, (from, to)).len();
    assert_eq!(hours("2026-03-28T22:59:59Z", "2026-03-29T22:00:00Z"), 23);
    assert_eq!(hours("2026-10-24T21:59:59Z", "2026-10-25T23:00:00Z"), 25);
}

#[test]
fn a_day_without_midnight_begins_when_the_clock_goes_on() {
    // 2018-11-04 00:00 to 01:00 was left out, 2026-04-24 and 2026-03-29 are to be.
    for (zone, from, to, expected) in [
        ("America/Sao_Paulo", "2018-11-03T04:00:00Z", "2018-11-06T00:00:00Z", ["11-04T03:00", "11-05T02:00"]),
        ("Africa/Cairo", "2026-04-23T00:00:00Z", "2026-04-25T12:00:00Z", ["04-23T22:00", "04-24T21:00"]),
        ("Asia/Beirut", "2026-03-28T00:00:00Z", "2026-03-30T12:00:00Z", ["03-28T22:00", "03-29T21:00"]),
        // The clock went from 23:30 of the day before to 00:30.
        ("America/Toronto", "1919-03-30T12:00:00Z", "1919-04-02T00:00:00Z", ["03-31T04:30", "04-01T04:00"]),
    ] {
        assert_eq!(beginnings(zone, Interval::Day, (from, to)), expected, "{zone}");
    }
}

#[test]
fn a_day_that_never_was_is_left_out() {
    // Samoa went from the evening of the 29th to the morning of the 31st.
    let days = beginnings("Pacific/Apia", Interval::Day, ("2011-12-28T12:00:00Z", "2012-01-02T00:00:00Z"));
    assert_eq!(days, ["12-29T10:00", "12-30T10:00", "12-31T10:00", "01-01T10:00"]);
}

#[test]
fn a_day_with_two_midnights_begins_once() {
    // One minute into the seventh the clock went back to 23:01 of the sixth.
    let days = beginnings("America/St_Johns", Interval::Day, ("2010-11-05T12:00:00Z", "2010-11-09T00:00:00Z"));
    assert_eq!(days, ["11-06T02:30", "11-07T02:30", "11-08T03:30"]);
    let calendar = calendar("America/St_Johns");
    assert_eq!(calendar.next(Interval::Day, at("2010-11-07T02:45:00Z")), Some(at("2010-11-08T03:30:00Z")));
}

#[test]
fn hours_are_those_of_the_clock() {
    let hours = |zone, from, to| beginnings(zone, Interval::Hour, (from, to));
    let winter = ("2026-01-01T00:00:00Z", "2026-01-01T02:00:00Z");
    assert_eq!(hours("Asia/Kolkata", winter.0, winter.1), ["01-01T00:30", "01-01T01:30"]);
    assert_eq!(hours("Asia/Kathmandu", winter.0, winter.1), ["01-01T00:15", "01-01T01:15"]);
    // Lord Howe puts its clock by half an hour: from 02:00 to 02:30, and from 02:00 to 01:30.
    let spring = hours("Australia/Lord_Howe", "2026-10-03T14:00:00Z", "2026-10-03T17:30:00Z");
    assert_eq!(spring, ["10-03T14:30", "10-03T15:30", "10-03T16:00", "10-03T17:00"]);
    let autumn = hours("Australia/Lord_Howe", "2026-04-04T13:30:00Z", "2026-04-04T17:00:00Z");
    assert_eq!(autumn, ["04-04T14:00", "04-04T15:30", "04-04T16:30"]);
    // From 00:01 back to 23:01 is into another hour.
    let back = hours("America/St_Johns", "2010-11-07T01:30:00Z", "2010-11-07T04:00:00Z");
    assert_eq!(back, ["11-07T02:30", "11-07T02:31", "11-07T03:30"]);
}

#[test]
fn weeks_begin_on_mondays_and_months_on_firsts() {
    let winter = ("2026-12-20T23:00:00Z", "2027-01-12T00:00:00Z");
    let weeks = beginnings("Europe/Berlin", Interval::Week, winter);
    assert_eq!(weeks, ["12-27T23:00", "01-03T23:00", "01-10T23:00"]);
    let year = ("2025-12-31T23:00:00Z", "2026-05-01T00:00:00Z");
    let months = beginnings("Europe/Berlin", Interval::Month, year);
    assert_eq!(months, ["01-31T23:00", "02-28T23:00", "03-31T22:00", "04-30T22:00"]);
}

#[test]
fn a_zone_is_one_of_the_database() {
    for name in ["Europe/Berlin", "UTC", "Etc/GMT+5", "america/new_york", "Asia/Calcutta"] {
        assert!(Calendar::named(name).is_some(), "{name}");
    }
    for name in ["", "Berlin", "+02:00", "CET-1CEST", "Etc/Unknown", "../etc/localtime", "Europe/Berlin\0"] {
        assert!(Calendar::named(name).is_none(), "{name}");
    }
}

/// Any zone there is.
fn any_zone() -> impl Strategy<Value = String> {
    let names: Vec<_> = TimeZoneDatabase::bundled().available().map(|name| name.as_str().to_owned()).collect();
    assert!(names.len() > 400, "{}", names.len());
    proptest::sample::select(names)
}

/// What a clock on the wall shows, by nothing but the offset of the moment.
fn wall(zone: &TimeZone, second: i64) -> (Date, i8) {
    let at = jiff::Timestamp::from_second(second).unwrap();
    let shown = zone.to_offset(at).to_datetime(at);
    (shown.date(), shown.hour())
}

/// Whether an interval begins between two moments a quarter apart, by what the wall shows at both.
fn begins(interval: Interval, before: (Date, i8), after: (Date, i8)) -> bool {
    let monday = |date: Date| date.checked_sub(i64::from(date.weekday().to_monday_zero_offset()).days()).unwrap();
    match interval {
        Interval::Hour => before != after,
        Interval::Day => before.0 < after.0,
        Interval::Week => monday(before.0) < monday(after.0),
        Interval::Month => before.0.first_of_month() < after.0.first_of_month(),
    }
}

/// From 2013 on no clock that was put changed the day back, and all were put on quarters; what comes is by today's rules.
const YEARS: std::ops::Range<i64> = 1_356_998_400 / 900..2_114_380_800 / 900;

proptest! {
    #[test]
    fn an_interval_begins_where_the_wall_says_so(
        name in any_zone(), quarter in YEARS, interval in proptest::sample::select(&Interval::ALL[..]),
    ) {
        let (calendar, start) = (calendar(&name), quarter * 900);
        // As many quarters as three of the intervals have.
        let quarters = match interval {
            Interval::Hour => 12,
            Interval::Day => 3 * 96,
            Interval::Week => 21 * 96,
            Interval::Month => 93 * 96,
        };
        let end = start + quarters * 900;
        let mut walls = Vec::new();
        for second in (start + 900..end).step_by(900) {
            if begins(interval, wall(&calendar.0, second - 900), wall(&calendar.0, second)) {
                walls.push(Timestamp::from_millis(second * 1000));
            }
        }
        let first = calendar.next(interval, Timestamp::from_millis(start * 1000));
        let starts = std::iter::successors(first, |start| calendar.next(interval, *start));
        let starts: Vec<_> = starts.take_while(|start| start.as_millis() < end * 1000).collect();
        prop_assert_eq!(starts, walls, "{} {:?} from {}", name, interval, start);
    }
}
