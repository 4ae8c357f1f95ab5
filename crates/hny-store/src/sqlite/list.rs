//! Lists of links, by the statements of [`crate::list_sql`].

use std::sync::LazyLock;

use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension as _, Result, params_from_iter};

use super::Sqlite;
use super::row::{self, link_columns};
use crate::StoreError;
use crate::list::{Answer, Argument, LinkPage, ListQuestion, Reading};
use crate::list_sql::{Dialect, Statements};

static STATEMENTS: LazyLock<Statements> = LazyLock::new(|| {
    Statements::of(&Dialect {
        columns: link_columns!(),
        owned: "links INDEXED BY links_owner",
        // The order of the tables, too.
        tagged: "link_tags CROSS JOIN links ON links.id = link_tags.link",
        ranks: "click_counts AS c INDEXED BY click_counts_all",
        owned_ranks: "click_counts AS c INDEXED BY click_counts_owner",
        // A link that is deleted takes its count with it.
        is_live: "",
        of_ranks: "CROSS JOIN links ON links.id = ranked.link",
    })
});

impl Sqlite {
    pub(crate) async fn list_links(&self, question: ListQuestion) -> Result<LinkPage, StoreError> {
        self.read_aside(move |sql| list(sql, &question)).await
    }
}

fn list(sql: &Connection, question: &ListQuestion) -> Result<LinkPage> {
    let mut reading = Reading::new(question, &STATEMENTS);
    while let Some(step) = reading.next() {
        let mut statement = sql.prepare_cached(step.sql)?;
        let arguments = params_from_iter(step.arguments.into_iter().map(Value::from));
        match step.answer {
            Answer::Number => reading.take_number(statement.query_row(arguments, |row| row.get(0)).optional()?),
            Answer::Links(wanted) => {
                let clicks = statement.column_count() - 1;
                let links = statement.query_map(arguments, |row| Ok((row::link(row)?, row.get(clicks)?)))?;
                reading.take_links(wanted, links.collect::<Result<_>>()?);
            }
        }
    }
    Ok(reading.finish())
}

impl From<Argument> for Value {
    fn from(argument: Argument) -> Self {
        match argument {
            Argument::Number(number) => number.into(),
            Argument::Text(text) => text.into(),
        }
    }
}
