//! Whole numbers. JSON has one kind of number, and JSON Schema calls `5.0` an integer: some programs know no other way to write it.

use std::fmt;

use hny_domain::Patch;
use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer};

/// Beyond it (2^53) not every whole number has a float of its own, and one that was meant cannot be told from its neighbours.
const MOST_OF_A_FLOAT: f64 = 9_007_199_254_740_992.0;

struct Whole(i64);

impl<'de> Deserialize<'de> for Whole {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
        json.deserialize_i64(Number).map(Self)
    }
}

struct Number;

impl Visitor<'_> for Number {
    type Value = i64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number")
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<i64, E> {
        Ok(number)
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<i64, E> {
        i64::try_from(number).map_err(|_| E::invalid_value(Unexpected::Unsigned(number), &self))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<i64, E> {
        if number.fract() != 0.0 || number.abs() > MOST_OF_A_FLOAT {
            return Err(E::invalid_type(Unexpected::Float(number), &self));
        }
        #[expect(clippy::cast_possible_truncation, reason = "it is whole, and within 2^53")]
        Ok(number as i64)
    }
}

/// A field that may be left out or `null`; used with `default`.
pub(crate) fn optional<'de, D: Deserializer<'de>>(json: D) -> Result<Option<i64>, D::Error> {
    Ok(Option::<Whole>::deserialize(json)?.map(|Whole(number)| number))
}

/// A field of a merge patch, where it is there.
pub(crate) fn patch<'de, D: Deserializer<'de>>(json: D) -> Result<Patch<i64>, D::Error> {
    Ok(optional(json)?.map_or(Patch::Clear, Patch::Set))
}

#[cfg(test)]
mod tests {
    use hny_domain::Patch;

    use crate::read::{read, read_row};
    use crate::{LinkPatch, NewLink, NewToken};

    #[test]
    fn a_whole_number_is_one_however_it_is_written() {
        for (text, expected) in [
            ("5", Some(5)),
            ("5.0", Some(5)),
            ("50e-1", Some(5)),
            ("-0.0", Some(0)),
            ("9007199254740992.0", Some(1 << 53)),
            ("null", None),
        ] {
            let body = format!("{{\"maxClicks\":{text},\"redirectStatus\":{text}}}");
            let new: NewLink = read(body.as_bytes()).unwrap();
            let row: NewLink = read_row(&serde_json::from_str(&body).unwrap()).unwrap();
            let patch: LinkPatch = read(body.as_bytes()).unwrap();
            let token: NewToken = read(format!("{{\"expiresIn\":{text}}}").as_bytes()).unwrap();
            assert_eq!(
                [new.max_clicks, row.max_clicks, new.redirect_status, token.expires_in],
                [expected; 4],
                "{text}"
            );
            let of_patch = expected.map_or(Patch::Clear, Patch::Set);
            assert_eq!((patch.max_clicks, patch.redirect_status), (of_patch, of_patch), "{text}");
        }
        let none: (NewLink, LinkPatch) = (read(b"{}").unwrap(), read(b"{}").unwrap());
        assert_eq!((none.0.max_clicks, none.1.max_clicks), (None, Patch::Keep));
    }

    #[test]
    fn what_is_no_whole_number_is_named() {
        for text in ["5.5", "\"5\"", "true", "[5]", "1e16", "1e99", "18446744073709551615", "-1e300"] {
            let error = read::<NewLink>(format!("{{\"maxClicks\":{text}}}").as_bytes()).err();
            let Some(crate::ReadError::Fields(fields)) = error else { panic!("{text} {error:?}") };
            assert_eq!(fields.len(), 1);
            assert!(fields[0].field == "maxClicks" && fields[0].detail.contains("a whole number"), "{fields:?}");
        }
    }
}
