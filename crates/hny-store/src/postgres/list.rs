//! Lists of links, by the statements of [`crate::list_sql`].

use std::sync::LazyLock;

use hny_domain::{KeyId, Tag};
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

use super::Postgres;
use super::failure::Failure;
use super::row::{self, link_columns};
use crate::StoreError;
use crate::list::{LinkPage, ListQuestion, Reading};
use crate::list_sql::{Dialect, Statements};

/// How many links are read at once, where the next are found as fast.
const AT_ONCE: usize = 1_000;

static STATEMENTS: LazyLock<Statements> = LazyLock::new(|| {
    Statements::of(&Dialect {
        columns: link_columns!(),
        owned: "links",
        tagged: "link_tags JOIN links ON links.id = link_tags.link",
        counts: "(SELECT link, clicks FROM click_lanes UNION ALL SELECT link, clicks FROM click_counts)",
        clicks: "coalesce(sum(c.clicks), 0)::bigint",
        having: "GROUP BY links.id HAVING",
    })
});

impl Postgres {
    pub(crate) async fn list_links(&self, question: ListQuestion) -> Result<LinkPage, StoreError> {
        let by_clicks = question.listing.order.by_clicks;
        let sql = STATEMENTS.choose(&question);
        let mut reading = Reading::new(&question);
        loop {
            // Links are ranked by their clicks each time.
            let wanted = if by_clicks { reading.wanted() } else { reading.wanted().min(AT_ONCE) };
            let places = places(&question, &reading, wanted);
            let rows =
                if by_clicks { self.ask_for_long(sql, places).await? } else { self.ask_for_list(sql, &places).await? };
            let is_last = rows.len() < wanted;
            if is_last | !look_at_all(&mut reading, &rows)? {
                return Ok(reading.finish());
            }
        }
    }

    async fn ask_for_list(&self, sql: &'static str, places: &[Parameter]) -> Result<Vec<Row>, Failure> {
        let places: Vec<&(dyn ToSql + Sync)> = places.iter().map(|place| &**place as _).collect();
        self.lists.ask(sql, &places).await
    }
}

/// What stands in a place of a statement.
pub(super) type Parameter = Box<dyn ToSql + Send + Sync>;

fn places(question: &ListQuestion, reading: &Reading<'_>, wanted: usize) -> Vec<Parameter> {
    let tag = question.listing.filter.tag.as_ref().map(Tag::to_string);
    let owner = question.sight.owner.map(|KeyId(owner)| owner);
    let (first, second) = reading.bounds();
    let has_owner = tag.is_some() || owner.is_some();
    let mut places: Vec<Parameter> = tag.map(|tag| Box::new(tag) as _).into_iter().collect();
    if has_owner {
        places.push(Box::new(owner));
    }
    places.extend([first, second, i64::try_from(wanted).unwrap_or(i64::MAX)].map(|number| Box::new(number) as _));
    places
}

/// Looks at links as far as the page reaches. `false`: it is at its end.
fn look_at_all(reading: &mut Reading<'_>, rows: &[Row]) -> Result<bool, Failure> {
    for row in rows {
        if !reading.look_at(row::link(row)?, row::get(row, row.len() - 1)?) {
            return Ok(false);
        }
    }
    Ok(true)
}
