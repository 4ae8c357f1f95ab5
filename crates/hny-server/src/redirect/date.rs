//! The value of the `Date` field (RFC 9110, section 6.6.1).

use std::cell::Cell;
use std::time::{Duration, UNIX_EPOCH};

const LENGTH: usize = "Thu, 01 Jan 1970 00:00:00 GMT".len();

/// A date as HTTP writes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Date([u8; LENGTH]);

impl Date {
    /// The date of so many seconds since 1970. It is written once a second and thread.
    pub(crate) fn of(second: u64) -> Self {
        thread_local! {
            static LAST: Cell<(u64, Date)> = Cell::new((0, Date::write(0)));
        }
        LAST.with(|last| {
            let (written, date) = last.get();
            if written == second {
                return date;
            }
            let date = Self::write(second);
            last.set((second, date));
            date
        })
    }

    fn write(second: u64) -> Self {
        // HTTP has no dates after 9999, and no clock of today comes near.
        let second = second.min(253_402_300_799);
        let text = httpdate::fmt_http_date(UNIX_EPOCH + Duration::from_secs(second));
        let mut date = [b' '; LENGTH];
        for (place, byte) in date.iter_mut().zip(text.bytes()) {
            *place = byte;
        }
        Self(date)
    }

    /// The text.
    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_second_has_its_date() {
        for (second, text) in [
            (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
            (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
            (784_111_778, "Sun, 06 Nov 1994 08:49:38 GMT"),
            (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
            (u64::MAX, "Fri, 31 Dec 9999 23:59:59 GMT"),
        ] {
            assert_eq!(String::from_utf8_lossy(Date::of(second).as_bytes()), text);
        }
    }
}
