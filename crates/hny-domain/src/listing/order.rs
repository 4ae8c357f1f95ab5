//! The order of a list, and a place in it.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::LinkId;

/// The order of a list. Links that have the same in it follow their ids, which is the order in which they were made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Order {
    /// By the number of clicks, as it is when a page is read; else by the time of making.
    pub by_clicks: bool,
    /// The greatest first.
    pub is_descending: bool,
}

/// The word is no order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("it is created, -created, clicks or -clicks; '-' is the greatest first")]
pub struct OrderError;

impl Order {
    /// The newest first.
    pub const NEWEST: Self = Self { by_clicks: false, is_descending: true };

    /// Reads a place in this order, as [`Place`] is written.
    pub fn place(self, text: &str) -> Result<Place, PlaceError> {
        let number = |digits: &str| {
            let number =
                i64::from_str_radix(digits, 16).ok().filter(|_| digits.starts_with(|c: char| c.is_alphanumeric()));
            number.ok_or(PlaceError)
        };
        match (text.split_once('-'), self.by_clicks) {
            (None, false) => Ok(Place { clicks: None, link: LinkId(number(text)?) }),
            (Some((clicks, link)), true) => Ok(Place { clicks: Some(number(clicks)?), link: LinkId(number(link)?) }),
            _ => Err(PlaceError),
        }
    }
}

impl FromStr for Order {
    type Err = OrderError;

    fn from_str(text: &str) -> Result<Self, OrderError> {
        let word = text.strip_prefix('-');
        let by_clicks = match word.unwrap_or(text) {
            "created" => false,
            "clicks" => true,
            _ => return Err(OrderError),
        };
        Ok(Self { by_clicks, is_descending: word.is_some() })
    }
}

/// A place in a list: behind this link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// How many clicks it had, where they are the order.
    pub clicks: Option<i64>,
    /// The link.
    pub link: LinkId,
}

/// The text is no place in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("it is the 'next' of the page before, as it was, with the same order")]
pub struct PlaceError;

/// A text that nobody needs to understand.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(clicks) = self.clicks {
            write!(f, "{clicks:x}-")?;
        }
        write!(f, "{:x}", self.link.0)
    }
}
