//! In which country a network is.

use std::fmt;
use std::net::IpAddr;
use std::path::Path;
use std::sync::Arc;

use maxminddb::{MaxMindDbError, Reader, path};
use thiserror::Error;

/// Who knows the countries of networks. Cheap to clone.
#[derive(Clone, Default)]
pub struct Countries(Option<Arc<Reader<Vec<u8>>>>);

/// Why a database of countries cannot be used.
#[derive(Debug, Error)]
#[error("countries: {reason}; it must be a MaxMind database (.mmdb) that knows countries")]
pub struct CountryFileError {
    #[source]
    reason: MaxMindDbError,
}

impl Countries {
    /// Asks the table that comes with the program: to whom the registries have given which addresses. It knows in which country a
    /// network is registered, which is mostly where it is.
    pub const fn compiled_in() -> Self {
        Self(None)
    }

    /// Asks a file that the operator has.
    pub fn of_file(path: &Path) -> Result<Self, CountryFileError> {
        let reader = Reader::open_readfile(path).map_err(|reason| CountryFileError { reason })?;
        Ok(Self(Some(Arc::new(reader))))
    }

    /// The country's two letters, in capitals (ISO 3166-1); `None` where nobody knows, as for a private network.
    pub(crate) fn of(&self, network: IpAddr) -> Option<[u8; 2]> {
        let network = network.to_canonical();
        match &self.0 {
            None => letters(iptocc::country_code(network)?),
            Some(reader) => letters(reader.lookup(network).ok()?.decode_path(&path!["country", "iso_code"]).ok()??),
        }
    }
}

fn letters(code: &str) -> Option<[u8; 2]> {
    let letters: [u8; 2] = code.as_bytes().try_into().ok()?;
    letters.iter().all(u8::is_ascii_uppercase).then_some(letters)
}

impl fmt::Debug for Countries {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Countries(file)" } else { "Countries(compiled in)" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn country(countries: &Countries, address: &str) -> Option<String> {
        countries.of(address.parse().unwrap()).map(|letters| String::from_utf8(letters.into()).unwrap())
    }

    #[test]
    fn networks_that_have_been_somewhere_for_decades_are_known() {
        let table = Countries::compiled_in();
        // The universities of Cambridge and Tokyo, KAIST, and the RIPE NCC's own.
        for (address, expected) in [
            ("131.111.8.46", "GB"),
            ("133.11.0.1", "JP"),
            ("143.248.1.1", "KR"),
            ("193.0.6.139", "NL"),
            ("::ffff:131.111.8.46", "GB"),
            ("2001:67c:2e8:22::c100:68b", "NL"),
        ] {
            assert_eq!(country(&table, address).as_deref(), Some(expected), "{address}");
        }
    }

    #[test]
    fn what_is_nobodys_is_in_no_country() {
        for address in ["127.0.0.1", "10.1.2.3", "192.168.0.1", "::1", "fe80::1", "fd00::1", "0.0.0.0"] {
            assert_eq!(country(&Countries::compiled_in(), address), None, "{address}");
        }
    }

    #[test]
    fn only_two_capitals_are_a_country() {
        assert_eq!(letters("KR"), Some(*b"KR"));
        for text in ["", "K", "kr", "KOR", "é", "4R"] {
            assert_eq!(letters(text), None, "{text}");
        }
    }

    /// `GeoIP2-Country-Test.mmdb` of `MaxMind`'s test data (MIT or Apache-2.0).
    const FILE: &[u8] = include_bytes!("country/test.mmdb");

    #[test]
    fn a_file_of_the_operator_is_asked_instead() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), FILE).unwrap();
        let countries = Countries::of_file(file.path()).unwrap();
        for (address, expected) in [
            ("81.2.69.142", Some("GB")),
            ("::ffff:81.2.69.142", Some("GB")),
            ("2001:218::1", Some("JP")),
            ("131.111.8.46", None),
            ("127.0.0.1", None),
        ] {
            assert_eq!(country(&countries, address).as_deref(), expected, "{address}");
        }
    }

    #[test]
    fn a_damaged_file_tells_nothing_wrong_and_breaks_nothing() {
        let file = tempfile::NamedTempFile::new().unwrap();
        for byte in (0..FILE.len()).step_by(97) {
            let mut damaged = FILE.to_vec();
            damaged[byte] ^= 0x55;
            std::fs::write(file.path(), damaged).unwrap();
            if let Ok(countries) = Countries::of_file(file.path()) {
                for address in ["81.2.69.142", "2001:218::1"] {
                    assert!(country(&countries, address).is_none_or(|letters| letters.len() == 2), "{byte}");
                }
            }
        }
    }

    #[test]
    fn a_file_that_is_no_such_database_is_named() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "country,KR").unwrap();
        for path in [file.path(), Path::new("/nowhere/at/all.mmdb")] {
            let error = Countries::of_file(path).unwrap_err().to_string();
            assert!(error.starts_with("countries: ") && error.contains(".mmdb"), "{error}");
        }
    }
}
