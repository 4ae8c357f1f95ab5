//! Which page of a list is wanted.

use std::str::FromStr;

use hny_domain::Problems;

use crate::extract::{Parameters, invalid};
use crate::problem::Failure;

/// How many rows a page has that does not say.
pub(crate) const USUAL: u32 = 100;

/// How many it may have.
pub(crate) const MOST: u32 = 1_000;

/// What is asked: how many rows, and behind which.
pub(super) fn wanted<C: FromStr + Default>(parameters: &Parameters) -> Result<(u32, C), Failure> {
    let [limit, cursor] = parameters.only(["limit", "cursor"])?;
    let mut problems = Problems::default();
    let limit = limit.map_or(Some(USUAL), |text| {
        let number = text.parse().ok().filter(|number| (1..=MOST).contains(number));
        problems.take("limit", number.ok_or_else(|| format!("it is a number from 1 to {MOST}")))
    });
    let cursor = cursor.map_or_else(
        || Some(C::default()),
        |text| problems.take("cursor", text.parse().map_err(|_| "it is what was sent as next, unchanged")),
    );
    problems.finish(limit.zip(cursor)).map_err(invalid)
}
