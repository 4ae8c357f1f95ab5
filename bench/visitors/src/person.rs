//! Who comes: a person has an address, a browser and a language, and comes from somewhere.

use std::io::{Result, Write};

/// So many pages lead to the links.
const REFERRERS: u64 = 40;

const LANGUAGES: [&str; 12] = ["en-US", "en-GB", "de", "cs", "fr", "es", "pt-BR", "pl", "it", "ja", "ko", "nl"];

/// Writes the header fields of a person, by its number, who has come from somewhere: another number. Agents are some six hundred.
pub(crate) fn write_fields(fields: &mut Vec<u8>, person: u64, whence: u64) {
    // A vector takes all there is.
    let _ = write_agent(fields, person).and_then(|()| write_place(fields, person, whence));
}

/// Browsers as they are in use, in fifty versions.
fn write_agent(fields: &mut Vec<u8>, person: u64) -> Result<()> {
    let (version, system) = (100 + person / 12 % 50, index(person / 600 % 4));
    fields.extend_from_slice(b"\r\nUser-Agent: Mozilla/5.0 (");
    match person % 3 {
        0 => write!(fields, "{}; rv:{version}.0) Gecko/20100101 Firefox/{version}.0", FIREFOX[system]),
        1 => write!(
            fields,
            "{}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/{version}.0.0.0 Safari/537.36",
            CHROME[system]
        ),
        _ => write!(
            fields,
            "iPhone; CPU iPhone OS 18_{system} like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.{system} \
             Mobile/15E{version} Safari/604.1"
        ),
    }
}

/// An address of 16.0.0.0/4, a language, and a page.
fn write_place(fields: &mut Vec<u8>, person: u64, whence: u64) -> Result<()> {
    let [a, b, c] = [person >> 16, person >> 8, person].map(|part| part & 255);
    let (language, net) = (LANGUAGES[index(person % 12)], 16 + person % 16);
    write!(fields, "\r\nX-Forwarded-For: {net}.{a}.{b}.{c}\r\nAccept-Language: {language}")?;
    write!(fields, "\r\nReferer: https://page-{}.example/", whence % REFERRERS)
}

const FIREFOX: [&str; 4] =
    ["X11; Linux x86_64", "Windows NT 10.0; Win64; x64", "Macintosh; Intel Mac OS X 10.15", "Android 15; Mobile"];

const CHROME: [&str; 4] =
    ["Windows NT 10.0; Win64; x64", "Macintosh; Intel Mac OS X 10_15_7", "Linux; Android 10; K", "X11; Linux x86_64"];

fn index(number: u64) -> usize {
    usize::try_from(number).unwrap_or_default()
}

#[test]
fn each_person_is_another_and_always_the_same() {
    let fields = |person, whence| {
        let mut fields = Vec::new();
        write_fields(&mut fields, person, whence);
        String::from_utf8(fields).expect("it is ASCII")
    };
    assert_eq!(fields(70_000, 41), fields(70_000, 1), "two pages of one name");
    let all: std::collections::HashSet<_> = (0..5_000).map(|person| fields(person, 0)).collect();
    assert_eq!(all.len(), 5_000);
    assert!(
        fields(65_536 * 3 + 256 * 4 + 5, 0).contains("\r\nX-Forwarded-For: 21.3.4.5\r\n"),
        "{}",
        fields(197_637, 0)
    );
}
