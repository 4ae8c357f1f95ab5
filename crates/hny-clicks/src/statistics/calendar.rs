//! Where hours, days, weeks and months begin in a time zone.

use hny_domain::Timestamp;
use jiff::civil::{Date, Time, Weekday};
use jiff::tz::{AmbiguousOffset, TimeZone, TimeZoneDatabase};
use jiff::{SignedDuration, ToSpan};

/// How long the pieces of a series are, by the clocks and calendars of a time zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Interval {
    /// From full hour to full hour.
    Hour,
    /// From midnight to midnight.
    Day,
    /// From Monday to Monday (ISO 8601).
    Week,
    /// From the first of a month to the first of the next.
    Month,
}

impl Interval {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Hour, Self::Day, Self::Week, Self::Month];

    /// What it is called on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hour => "hour",
            Self::Day => "day",
            Self::Week => "week",
            Self::Month => "month",
        }
    }

    /// The one that is called so.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|interval| interval.name() == name)
    }
}

/// The calendar and the clocks of a time zone.
///
/// What the zones are is compiled in: every node, wherever it runs, cuts days at the same moments.
#[derive(Debug, Clone)]
pub(super) struct Calendar(TimeZone);

const HOUR: i64 = 3600;

/// The shortest time by which moments differ here.
const INSTANT: SignedDuration = SignedDuration::from_millis(1);

impl Calendar {
    pub(super) const UTC: Self = Self(TimeZone::UTC);

    /// That of a zone by its IANA name, such as `Europe/Berlin`; upper and lower case are the same.
    pub(super) fn named(name: &str) -> Option<Self> {
        let zone = TimeZoneDatabase::bundled().get(name).ok()?;
        (!zone.is_unknown()).then_some(Self(zone))
    }

    /// The name of the zone.
    pub(super) fn name(&self) -> &str {
        self.0.iana_name().unwrap_or("UTC")
    }

    /// The day that it is at a moment; `None`, here and below, beyond the years of the calendar.
    pub(super) fn day(&self, at: Timestamp) -> Option<Date> {
        Some(self.0.to_datetime(moment(at)?).date())
    }

    /// What the clock shows at a moment: `2030-01-01T12:00`.
    pub(super) fn shown(&self, at: Timestamp) -> Option<String> {
        Some(self.0.to_datetime(moment(at)?).strftime("%Y-%m-%dT%H:%M").to_string())
    }

    /// The first moment of a day: midnight, the first if there are two, or when the clock goes on behind it if there is none.
    pub(super) fn midnight(&self, day: Date) -> Option<Timestamp> {
        let midnight = self.0.to_ambiguous_timestamp(day.to_datetime(Time::midnight()));
        let at = midnight.compatible().ok()?;
        let first = match midnight.offset() {
            AmbiguousOffset::Gap { .. } => self.0.preceding(at.checked_add(INSTANT).ok()?).next()?.timestamp(),
            AmbiguousOffset::Unambiguous { .. } | AmbiguousOffset::Fold { .. } => at,
        };
        Some(timestamp(first))
    }

    /// The first moment after `at` at which an interval begins.
    pub(super) fn next(&self, interval: Interval, at: Timestamp) -> Option<Timestamp> {
        if interval == Interval::Hour {
            return Some(timestamp(self.next_hour(moment(at)?)?));
        }
        // Not always tomorrow: a day may be missing, or have been entered and left again.
        let days =
            std::iter::successors(first_day_after(interval, self.day(at)?), |day| first_day_after(interval, *day));
        days.map_while(|day| self.midnight(day)).find(|start| *start > at)
    }

    /// When the clock next shows a full hour, or is put from one hour into another.
    fn next_hour(&self, mut at: jiff::Timestamp) -> Option<jiff::Timestamp> {
        loop {
            let left = HOUR - self.seconds_shown(at).rem_euclid(HOUR);
            let full = jiff::Timestamp::from_second(at.as_second() + left).ok()?;
            match self.0.following(at).next().map(|change| change.timestamp()) {
                Some(change) if change <= full => {
                    if self.begins_an_hour(change)? {
                        return Some(change);
                    }
                    at = change;
                }
                _ => return Some(full),
            }
        }
    }

    /// Whether an hour begins at a moment at which the clock is put.
    fn begins_an_hour(&self, change: jiff::Timestamp) -> Option<bool> {
        let before = self.seconds_shown(change.checked_sub(INSTANT).ok()?);
        let after = self.seconds_shown(change);
        Some(after.rem_euclid(HOUR) == 0 || before.div_euclid(HOUR) != after.div_euclid(HOUR))
    }

    /// What the clock shows, in seconds since it showed the beginning of 1970.
    fn seconds_shown(&self, at: jiff::Timestamp) -> i64 {
        // Rounded down, also before 1970.
        at.as_millisecond().div_euclid(1000) + i64::from(self.0.to_offset(at).seconds())
    }
}

/// The first day after `day` on which an interval of days begins.
fn first_day_after(interval: Interval, day: Date) -> Option<Date> {
    match interval {
        Interval::Hour | Interval::Day => day.tomorrow().ok(),
        Interval::Week => day.nth_weekday(1, Weekday::Monday).ok(),
        Interval::Month => day.first_of_month().checked_add(1.month()).ok(),
    }
}

fn moment(at: Timestamp) -> Option<jiff::Timestamp> {
    jiff::Timestamp::from_millisecond(at.as_millis()).ok()
}

fn timestamp(at: jiff::Timestamp) -> Timestamp {
    Timestamp::from_millis(at.as_millisecond())
}

#[cfg(test)]
mod tests;
