//! Lists of links, by the statements of [`crate::list_sql`].

use std::sync::LazyLock;

use hny_domain::Link;
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

use super::Postgres;
use super::failure::Failure;
use super::row::{self, link_columns};
use crate::StoreError;
use crate::list::{Answer, Argument, LinkPage, ListQuestion, Reading};
use crate::list_sql::{Dialect, Statements};

static STATEMENTS: LazyLock<Statements> = LazyLock::new(|| {
    Statements::of(&Dialect {
        columns: link_columns!(),
        owned: "links",
        tagged: "link_tags JOIN links ON links.id = link_tags.link",
        ranks: "click_ranks AS c",
        owned_ranks: "click_ranks AS c",
        // A question for each rank, and below a subquery that is not taken apart: no plan that reads all links is right for a page.
        is_live: "AND (SELECT l.deleted_at IS NULL FROM links AS l WHERE l.id = c.link)",
        of_ranks: "CROSS JOIN LATERAL (SELECT * FROM links AS l WHERE l.id = ranked.link OFFSET 0) AS links",
    })
});

impl Postgres {
    pub(crate) async fn list_links(&self, question: ListQuestion) -> Result<LinkPage, StoreError> {
        if question.listing.order.by_clicks {
            self.ranking.catch_up(&self.lists).await?;
        }
        let mut reading = Reading::new(&question, &STATEMENTS);
        while let Some(step) = reading.next() {
            let arguments: Vec<&(dyn ToSql + Sync)> = step.arguments.iter().map(Argument::as_sql).collect();
            let rows = self.lists.ask(step.sql, &arguments).await?;
            match step.answer {
                Answer::Number => reading.take_number(rows.first().map(|row| row::get(row, 0)).transpose()?),
                Answer::Links(wanted) => reading.take_links(wanted, rows.iter().map(link).collect::<Result<_, _>>()?),
            }
        }
        Ok(reading.finish())
    }
}

fn link(row: &Row) -> Result<(Link, i64), Failure> {
    Ok((row::link(row)?, row::get(row, row.len() - 1)?))
}

impl Argument {
    fn as_sql(&self) -> &(dyn ToSql + Sync) {
        match self {
            Self::Number(number) => number,
            Self::Text(text) => text,
        }
    }
}
