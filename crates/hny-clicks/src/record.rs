//! A click as it is written into the spool.
//!
//! A record is its length (two bytes), its version (one byte) and then the fields of that version, each after those of the version
//! before. So another field is another version: who knows less reads what it knows and passes over the rest, and who knows more
//! sees by the version what is there. (All numbers are little-endian.) No record has anything of a visitor in it by which one could be
//! found: no address, no agent string.

use crate::seen::Seen;
use hny_domain::LinkId;

/// The version that is written: the link.
const VERSION: u8 = 1;

/// How many bytes the fields of the first version take.
const FIELDS: usize = size_of::<i64>();

/// How many bytes the length and the version take.
const HEAD: usize = size_of::<u16>() + size_of::<u8>();

/// How many bytes a record takes that is written.
pub(crate) const LENGTH: usize = HEAD + FIELDS;

/// Puts a click behind what is there.
pub(crate) fn write(click: Seen, into: &mut Vec<u8>) {
    #[expect(clippy::cast_possible_truncation, reason = "it is nine")]
    into.extend((1 + FIELDS as u16).to_le_bytes());
    into.push(VERSION);
    into.extend(click.link.0.to_le_bytes());
}

/// Takes the next click off. `None` where there is no more, or nothing that can be read.
pub(crate) fn read(from: &mut &[u8]) -> Option<Seen> {
    let (length, rest) = from.split_first_chunk()?;
    let (record, rest) = rest.split_at_checked(u16::from_le_bytes(*length).into())?;
    *from = rest;
    let (version, fields) = record.split_first()?;
    let (link, _later) = fields.split_first_chunk()?;
    (*version >= VERSION).then(|| Seen { link: LinkId(i64::from_le_bytes(*link)) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn click(link: i64) -> Seen {
        Seen { link: LinkId(link) }
    }

    fn written(links: &[i64]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for &link in links {
            write(click(link), &mut bytes);
        }
        bytes
    }

    #[test]
    fn what_is_written_is_read() {
        let links = [0, 1, -1, i64::MAX, i64::MIN, 1 << 40];
        let bytes = written(&links);
        assert_eq!(bytes.len(), links.len() * LENGTH);
        let mut rest = bytes.as_slice();
        for link in links {
            assert_eq!(read(&mut rest), Some(click(link)));
        }
        assert_eq!((rest.len(), read(&mut rest)), (0, None));
    }

    #[test]
    fn the_form_stays() {
        assert_eq!(written(&[0x0102_0304]), [9, 0, 1, 4, 3, 2, 1, 0, 0, 0, 0]);
    }

    #[test]
    fn fields_of_a_later_version_are_passed_over() {
        let later = [&[14, 0, 2][..], &7_i64.to_le_bytes(), b"later", &written(&[8])].concat();
        let mut rest = later.as_slice();
        assert_eq!([read(&mut rest), read(&mut rest), read(&mut rest)], [Some(click(7)), Some(click(8)), None]);
    }

    #[test]
    fn what_is_no_record_is_not_read() {
        for bytes in [&[][..], &[9], &[9, 0], &[9, 0, 1, 0], &[0, 0], &[1, 0, 1], &[9, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]] {
            assert_eq!(read(&mut &*bytes), None, "{bytes:?}");
        }
    }
}
