//! Where clicks go.

use super::reader::Reader;
use super::value::ValueError;

/// Where clicks go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clicks {
    /// They are counted beside the links.
    Store,
    /// Nowhere: none is recorded.
    Discard,
}

impl Clicks {
    pub(super) fn read(reader: &mut Reader<'_>) -> Option<Self> {
        reader.required("clicks_url", Self::parse)
    }

    fn parse(text: &str) -> Result<Self, ValueError> {
        match text {
            "store:" => Ok(Self::Store),
            "discard:" => Ok(Self::Discard),
            _ if text.starts_with("kafka://") => Err(ValueError::Later("Kafka is")),
            _ => Err(ValueError::Clicks),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clicks_are_counted_or_discarded() {
        assert_eq!((Clicks::parse("store:"), Clicks::parse("discard:")), (Ok(Clicks::Store), Ok(Clicks::Discard)));
        for text in ["", "store", "discard", "STORE:", "store:x", "discard: ", "redis://cache", "kafka:broker/topic"] {
            assert_eq!(Clicks::parse(text), Err(ValueError::Clicks), "{text:?}");
        }
    }

    #[test]
    fn kafka_comes_later() {
        assert_eq!(Clicks::parse("kafka://me:secret@broker:9092/clicks"), Err(ValueError::Later("Kafka is")));
    }
}
