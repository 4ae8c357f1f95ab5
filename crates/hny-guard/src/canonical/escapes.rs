//! Percent escapes, undone and made.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Without escapes, however often they were escaped themselves.
///
/// No escape overlaps another, so their order does not matter, and one pass does what passes until nothing is left would do: what
/// an escape leaves may only be the end of one that began before it.
pub(super) fn undone(text: &[u8]) -> Cow<'_, [u8]> {
    if !text.contains(&b'%') {
        return text.into();
    }
    let mut plain = Vec::with_capacity(text.len());
    for byte in text {
        plain.push(*byte);
        while let [.., b'%', high, low] = plain[..]
            && let (Some(high), Some(low)) = (digit(high), digit(low))
        {
            plain.truncate(plain.len() - 3);
            plain.push(high << 4 | low);
        }
    }
    plain.into()
}

/// With escapes for what is no printable ASCII, and for `#` and `%`.
pub(super) fn made(plain: Vec<u8>) -> String {
    let is_itself = |byte: &u8| byte.is_ascii_graphic() && !matches!(byte, b'#' | b'%');
    let plain = match String::from_utf8(plain) {
        // As nearly always: nothing has to be copied.
        Ok(text) if text.bytes().all(|byte| is_itself(&byte)) => return text,
        Ok(text) => text.into_bytes(),
        Err(error) => error.into_bytes(),
    };
    let mut text = String::with_capacity(plain.len() + 8);
    for byte in &plain {
        if is_itself(byte) {
            text.push(char::from(*byte));
        } else {
            // Writing into a string cannot fail.
            let _ = write!(text, "%{byte:02X}");
        }
    }
    text
}

fn digit(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The rule as it is written down: pass by pass, until a pass changes nothing.
    fn by_passes(text: &[u8]) -> Vec<u8> {
        let mut plain = Vec::new();
        let mut rest = text;
        while let Some((first, behind)) = rest.split_first() {
            match behind {
                [high, low, after @ ..] if *first == b'%' && digit(*high).is_some() && digit(*low).is_some() => {
                    plain.push(digit(*high).unwrap() << 4 | digit(*low).unwrap());
                    rest = after;
                }
                _ => {
                    plain.push(*first);
                    rest = behind;
                }
            }
        }
        if plain == text { plain } else { by_passes(&plain) }
    }

    proptest! {
        #[test]
        fn one_pass_does_what_all_passes_do(text in "[%25aF0/]{0,40}") {
            prop_assert_eq!(&*undone(text.as_bytes()), by_passes(text.as_bytes()));
        }
    }

    #[test]
    fn escapes_of_escapes_take_no_longer_than_their_length() {
        let text = format!("%{}41", "25".repeat(1_000_000));
        assert_eq!(&*undone(text.as_bytes()), b"A");
    }
}
