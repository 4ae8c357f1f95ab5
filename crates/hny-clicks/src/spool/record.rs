//! A click as it is written into the spool.
//!
//! A record is its length (two bytes), its version (one byte) and then the fields of that version, each after those of the version
//! before. So another field is another version: who knows less reads what it knows and passes over the rest, and who knows more
//! sees by the version what is there. (All numbers are little-endian.) No record has the address of a visitor in it, and the agent
//! string is in it only until the click is handed over.

use std::iter;

use hny_domain::{LinkId, Timestamp, VisitKind, VisitorId};

/// The version that is written.
const VERSION: u8 = 1;

/// How many bytes the length takes.
const HEAD: usize = size_of::<u16>();

/// How many bytes a record takes at most: version, numbers, and texts of at most so many bytes.
pub(crate) const MOST_BYTES: usize = BEFORE_AGENT + MOST_AGENT + 1 + 255 + 1 + 255;

/// How many bytes stand before the agent string: length, version, numbers, and how long that string is.
const BEFORE_AGENT: usize = HEAD + 1 + NUMBERS + 2;

/// How many bytes link, time, kind, visitor and country take.
const NUMBERS: usize = 8 + 8 + 1 + 1 + 8 + 2;

/// How long an agent string is at most.
const MOST_AGENT: usize = 1024;

/// A click in a spool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Record<'a> {
    pub(crate) link: LinkId,
    pub(crate) at: Timestamp,
    pub(crate) kind: VisitKind,
    pub(crate) visitor: Option<VisitorId>,
    /// Two capital letters.
    pub(crate) country: Option<[u8; 2]>,
    /// As it came.
    pub(crate) agent: &'a [u8],
    /// The host, as it came.
    pub(crate) referrer: &'a [u8],
    /// The primary subtag, as it came.
    pub(crate) language: &'a [u8],
}

/// Puts a click behind what is there.
pub(crate) fn write(record: &Record<'_>, into: &mut Vec<u8>) {
    let agent = &record.agent[..record.agent.len().min(MOST_AGENT)];
    let [referrer, language] = [record.referrer, record.language].map(of_a_byte);
    let length = BEFORE_AGENT - HEAD + agent.len() + 1 + referrer.len() + 1 + language.len();
    into.reserve(HEAD + length);
    into.extend(before_agent(record, length, agent.len()));
    into.extend(agent);
    for text in [referrer, language] {
        #[expect(clippy::cast_possible_truncation, reason = "it is of a byte")]
        into.push(text.len() as u8);
        into.extend(text);
    }
}

/// All that is as long in every record, at once: this is done for each click.
#[expect(clippy::cast_possible_truncation, reason = "a record is at most MOST_BYTES, and an agent a part of it")]
fn before_agent(record: &Record<'_>, length: usize, agent: usize) -> [u8; BEFORE_AGENT] {
    let mut bytes = [0; BEFORE_AGENT];
    let mut rest = &mut bytes[..];
    let mut put = |field: &[u8]| {
        let (place, behind) = std::mem::take(&mut rest).split_at_mut(field.len());
        place.copy_from_slice(field);
        rest = behind;
    };
    put(&(length as u16).to_le_bytes());
    put(&[VERSION]);
    put(&record.link.0.to_le_bytes());
    put(&record.at.as_millis().to_le_bytes());
    put(&[number_of(record.kind), u8::from(record.visitor.is_some())]);
    put(&record.visitor.map_or(0, |visitor| visitor.0).to_le_bytes());
    put(&record.country.unwrap_or_default());
    put(&(agent as u16).to_le_bytes());
    bytes
}

/// The text, if its length is a number of one byte. Longer ones are none: no host has more, and no tag.
fn of_a_byte(text: &[u8]) -> &[u8] {
    if u8::try_from(text.len()).is_ok() { text } else { b"" }
}

/// Takes the next click off. `None` where there is no more, or nothing that can be read.
pub(crate) fn read<'a>(from: &mut &'a [u8]) -> Option<Record<'a>> {
    let (length, rest) = from.split_first_chunk()?;
    let (record, rest) = rest.split_at_checked(u16::from_le_bytes(*length).into())?;
    *from = rest;
    let (version, mut fields) = record.split_first()?;
    if *version < VERSION {
        return None;
    }
    let fields = &mut fields;
    let link = LinkId(i64::from_le_bytes(*chunk(fields)?));
    let at = Timestamp::from_millis(i64::from_le_bytes(*chunk(fields)?));
    let [kind, has_visitor] = *chunk(fields)?;
    let visitor = VisitorId(u64::from_le_bytes(*chunk(fields)?));
    let country: [u8; 2] = *chunk(fields)?;
    let agent = u16::from_le_bytes(*chunk(fields)?);
    let agent = text(fields, agent.into())?;
    let [referrer] = *chunk(fields)?;
    let referrer = text(fields, referrer.into())?;
    let [language] = *chunk(fields)?;
    let language = text(fields, language.into())?;
    let visitor = (has_visitor == 1).then_some(visitor);
    let country = (country != [0; 2]).then_some(country);
    Some(Record { link, at, kind: kind_of(kind)?, visitor, country, agent, referrer, language })
}

fn chunk<'a, const N: usize>(from: &mut &'a [u8]) -> Option<&'a [u8; N]> {
    let (chunk, rest) = from.split_first_chunk()?;
    *from = rest;
    Some(chunk)
}

fn text<'a>(from: &mut &'a [u8], length: usize) -> Option<&'a [u8]> {
    let (text, rest) = from.split_at_checked(length)?;
    *from = rest;
    Some(text)
}

/// The numbers stay as they are: spools that were left behind have them.
fn number_of(kind: VisitKind) -> u8 {
    match kind {
        VisitKind::Person => 0,
        VisitKind::Robot => 1,
        VisitKind::Prefetch => 2,
        VisitKind::Probe => 3,
    }
}

fn kind_of(number: u8) -> Option<VisitKind> {
    VisitKind::ALL.into_iter().find(|&kind| number_of(kind) == number)
}

/// How many records are in these bytes, up to one that cannot be read.
pub(crate) fn count(mut bytes: &[u8]) -> usize {
    iter::from_fn(|| read(&mut bytes)).count()
}

#[cfg(test)]
impl Record<'_> {
    /// How many bytes one takes of which nothing is known.
    pub(crate) const LEAST_BYTES: usize = BEFORE_AGENT + 1 + 1;

    /// A click on a link, of which nothing else is known.
    pub(crate) fn of(link: i64) -> Self {
        Self {
            link: LinkId(link),
            at: Timestamp::from_millis(7),
            kind: VisitKind::Person,
            visitor: None,
            country: None,
            agent: b"",
            referrer: b"",
            language: b"",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(kind: VisitKind) -> Record<'static> {
        Record {
            kind,
            visitor: Some(VisitorId(u64::MAX)),
            country: Some(*b"KR"),
            agent: b"Agent/1.0 \xff\0",
            referrer: b"Example.com",
            language: b"ko",
            ..Record::of(-5)
        }
    }

    fn written(records: &[Record<'_>]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for record in records {
            write(record, &mut bytes);
        }
        bytes
    }

    #[test]
    fn what_is_written_is_read() {
        let mut records = VisitKind::ALL.map(whole).to_vec();
        records.extend([0, 1, -1, i64::MAX, i64::MIN].map(Record::of));
        let bytes = written(&records);
        let mut rest = bytes.as_slice();
        for record in &records {
            assert_eq!(read(&mut rest).as_ref(), Some(record));
        }
        assert_eq!((rest.len(), read(&mut rest), count(&bytes)), (0, None, records.len()));
    }

    #[test]
    fn the_form_stays() {
        let expected = [
            &[49, 0, 1, 251, 255, 255, 255, 255, 255, 255, 255, 7, 0, 0, 0, 0, 0, 0, 0, 1, 1][..],
            &[255; 8],
            b"KR",
            &[12, 0],
            b"Agent/1.0 \xff\0",
            &[11],
            b"Example.com",
            &[2],
            b"ko",
        ];
        let expected = expected.concat();
        let mut bytes = written(&[whole(VisitKind::Robot)]);
        bytes[0] = expected[0];
        assert_eq!(bytes, expected);
        assert_eq!(usize::from(written(&[whole(VisitKind::Robot)])[0]), expected.len() - HEAD);
    }

    #[test]
    fn fields_of_a_later_version_are_passed_over() {
        let mut later = written(&[Record::of(7)]);
        later[0] += 5;
        later[HEAD] = 2;
        let bytes = [&later[..], b"later", &written(&[Record::of(8)])].concat();
        let mut rest = bytes.as_slice();
        assert_eq!(
            [read(&mut rest), read(&mut rest), read(&mut rest)],
            [Some(Record::of(7)), Some(Record::of(8)), None]
        );
    }

    #[test]
    fn what_is_no_record_is_not_read() {
        let bytes = written(&[whole(VisitKind::Person)]);
        for length in 0..bytes.len() {
            assert_eq!(read(&mut &bytes[..length]), None, "{length}");
            // Whole by its length, and too short for what is in it.
            let mut short = bytes[..length.max(HEAD)].to_vec();
            short[0] = u8::try_from(short.len() - HEAD).unwrap();
            assert_eq!(read(&mut short.as_slice()), None, "{length}");
        }
        let mut unknown = bytes;
        unknown[HEAD + 17] = 9;
        assert_eq!(read(&mut unknown.as_slice()), None, "a kind that nobody knows");
    }

    #[test]
    fn texts_are_bounded() {
        let long = [b'x'; 9000];
        let record = Record { agent: &long, referrer: &long[..255], language: &long[..255], ..Record::of(1) };
        let bytes = written(&[record]);
        assert_eq!(bytes.len(), MOST_BYTES);
        assert_eq!(read(&mut bytes.as_slice()), Some(Record { agent: &long[..1024], ..record }));
        let bytes = written(&[Record { referrer: &long, language: &long, ..Record::of(1) }]);
        assert_eq!(read(&mut bytes.as_slice()), Some(Record::of(1)));
    }
}
