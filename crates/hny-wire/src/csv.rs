//! Clicks as comma-separated values (RFC 4180) that no spreadsheet takes for anything but text.
//!
//! Visitors choose what referrer and agent they send, and owners open the file in a spreadsheet, which takes `=1+1` for a formula and,
//! where people write 1,5 for 1.5, `;` for the end of a cell. So in a cell that has text
//!
//! * the first character, if it is neither letter nor digit,
//! * each `%` `"` `'` `,` `;` `|` `=` `@`, and
//! * each control character and separator of lines
//!
//! is percent-encoded, each byte of its UTF-8 as `%` and two hexadecimal digits. To decode is to have the text again. No cell needs
//! quotes then, and names and hosts as they usually are look as they are. A cell of what is unknown is empty.

use std::fmt::Write;

use crate::ClickView;

/// The line of names.
pub const HEADER: &str = "time,kind,visitor,country,referrer,browser,os,device,language\r\n";

/// Puts the line of a click behind `text`.
pub fn push_line(text: &mut String, click: &ClickView<'_>) {
    let traits = &click.traits;
    let known = [traits.country, traits.referrer, traits.browser, traits.os, traits.device, traits.language];
    // Ours, and so written as they are.
    text.push_str(&click.time);
    for own in [Some(click.kind), click.visitor.as_deref()] {
        text.push(',');
        text.push_str(own.unwrap_or_default());
    }
    for value in known {
        text.push(',');
        push_cell(text, value.unwrap_or_default());
    }
    text.push_str("\r\n");
}

fn push_cell(text: &mut String, value: &str) {
    for (place, character) in value.char_indices() {
        if is_plain(character) && (place > 0 || character.is_alphanumeric()) {
            text.push(character);
            continue;
        }
        for byte in character.encode_utf8(&mut [0; 4]).bytes() {
            // To write into a string does not fail.
            let _ = write!(text, "%{byte:02X}");
        }
    }
}

/// Whether a character may stand within a cell.
fn is_plain(character: char) -> bool {
    let ends_lines = matches!(character, '\u{2028}' | '\u{2029}');
    !(character.is_control() || ends_lines || "%\"',;|=@".contains(character))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use hny_domain::{Click, ClickId, LinkId, Timestamp, Traits, VisitKind, VisitorId};
    use percent_encoding::percent_decode_str;
    use proptest::prelude::*;

    use super::*;

    fn click(referrer: Option<&str>, browser: Option<&str>) -> Click {
        let text = |text: Option<&str>| text.map(Arc::from);
        Click {
            id: ClickId(1),
            link: LinkId(2),
            at: Timestamp::from_millis(1_893_456_000_123),
            kind: VisitKind::Person,
            visitor: Some(VisitorId(0xfe)),
            traits: Traits { referrer: text(referrer), browser: text(browser), ..Traits::default() },
        }
    }

    fn line(referrer: Option<&str>, browser: Option<&str>) -> String {
        let mut text = String::new();
        push_line(&mut text, &ClickView::of(&click(referrer, browser)));
        text
    }

    /// How a value looks in its cell.
    fn cell(value: &str) -> String {
        let line = line(Some(value), None);
        line.split(',').nth(4).unwrap().to_owned()
    }

    #[test]
    fn a_line_has_the_cells_that_the_header_names() {
        let line = line(Some("news.example"), Some("Mobile Safari UI/WKWebView"));
        let expected =
            "2030-01-01T00:00:00.123Z,person,00000000000000fe,,news.example,Mobile Safari UI/WKWebView,,,\r\n";
        assert_eq!(line, expected);
        assert_eq!(HEADER.split(',').count(), line.split(',').count());
    }

    #[test]
    fn what_a_spreadsheet_would_take_for_a_formula_or_for_two_cells_is_encoded() {
        for (value, written) in [
            ("a-b.example", "a-b.example"),
            ("xn--bcher-kva.example", "xn--bcher-kva.example"),
            ("中文.example", "中文.example"),
            ("=cmd|' /C calc'!A0", "%3Dcmd%7C%27 /C calc%27!A0"),
            ("+1+1", "%2B1+1"),
            ("-1", "%2D1"),
            ("@SUM(1)", "%40SUM(1)"),
            ("\t=1", "%09%3D1"),
            ("\r\n=1", "%0D%0A%3D1"),
            ("a;=1+1", "a%3B%3D1+1"),
            ("\"=1\"", "%22%3D1%22"),
            ("＝1", "%EF%BC%9D1"),
            (" =1", "%20%3D1"),
            ("100%", "100%25"),
            ("%3D1", "%253D1"),
        ] {
            assert_eq!(cell(value), written, "{value:?}");
        }
    }

    proptest! {
        #[test]
        fn no_value_leaves_its_cell_or_begins_a_formula_and_all_can_be_read_back(value in "\\PC{0,12}|[=+\\-@\t\r\n,;|'\" a%]{0,8}") {
            let line = line(Some(&value), Some(&value));
            let cells: Vec<_> = line.trim_end_matches("\r\n").split(',').collect();
            prop_assert_eq!(cells.len(), 9, "{}", line);
            for cell in [cells[4], cells[5]] {
                prop_assert_eq!(&percent_decode_str(cell).decode_utf8().unwrap(), &value);
            }
            for piece in line.trim_end_matches("\r\n").split([',', ';', '|', '\t', '\r', '\n', '"', '\'']) {
                let first = piece.chars().next().unwrap_or('0');
                prop_assert!(first == '%' || first.is_alphanumeric(), "{line}");
            }
        }
    }
}
