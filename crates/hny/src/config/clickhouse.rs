//! Which ClickHouse.

use super::reader::Reader;
use super::value::ValueError;

/// Which ClickHouse; `None` is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClickHouse(pub(crate) Option<Address>);

/// Where it is.
#[cfg(feature = "clickhouse")]
pub(crate) type Address = hny_clicks::clickhouse::Address;

/// Nowhere, as the program was built without it.
#[cfg(not(feature = "clickhouse"))]
pub(crate) type Address = std::convert::Infallible;

impl ClickHouse {
    pub(super) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        reader.or("clickhouse_url", None, |text| parse(text).map(Some)).map(Self)
    }
}

#[cfg(feature = "clickhouse")]
fn parse(text: &str) -> Result<Address, ValueError> {
    Ok(Address::parse(text)?)
}

#[cfg(not(feature = "clickhouse"))]
fn parse(_: &str) -> Result<Address, ValueError> {
    Err(ValueError::Feature("clickhouse"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(feature = "clickhouse")]
    #[test]
    fn an_address_is_read() {
        assert!(parse("http://me:secret@clickhouse:8123/clicks").is_ok());
        let error = parse("clickhouse://me:secret@host").unwrap_err().to_string();
        assert!(error.contains("http://") && !error.contains("secret"), "{error}");
    }

    #[cfg(not(feature = "clickhouse"))]
    #[test]
    fn a_program_without_clickhouse_says_what_to_do() {
        let error = parse("http://me:secret@clickhouse/clicks").unwrap_err().to_string();
        assert!(error.contains("--features clickhouse") && !error.contains("secret"), "{error}");
    }
}
