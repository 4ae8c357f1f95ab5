//! Lists of links, by the statements of [`crate::list_sql`].

use std::sync::LazyLock;

use hny_domain::{KeyId, Tag};
use rusqlite::types::Value;
use rusqlite::{Connection, Result, params_from_iter};

use super::Sqlite;
use super::row::{self, link_columns};
use crate::StoreError;
use crate::list::{LinkPage, ListQuestion, Reading};
use crate::list_sql::{Dialect, Statements};

static STATEMENTS: LazyLock<Statements> = LazyLock::new(|| {
    Statements::of(&Dialect {
        columns: link_columns!(),
        owned: "links INDEXED BY links_owner",
        // The order of the tables, too.
        tagged: "link_tags CROSS JOIN links ON links.id = link_tags.link",
        counts: "click_counts",
        clicks: "coalesce(c.clicks, 0)",
        having: "AND",
    })
});

impl Sqlite {
    pub(crate) async fn list_links(&self, question: ListQuestion) -> Result<LinkPage, StoreError> {
        self.read_aside(move |sql| list(sql, &question)).await
    }
}

fn list(sql: &Connection, question: &ListQuestion) -> Result<LinkPage> {
    let mut reading = Reading::new(question);
    let mut statement = sql.prepare_cached(STATEMENTS.choose(question))?;
    let clicks = statement.column_count() - 1;
    let mut rows = statement.query(params_from_iter(places(question, &reading)))?;
    while let Some(row) = rows.next()? {
        if !reading.look_at(row::link(row)?, row.get(clicks)?) {
            break;
        }
    }
    Ok(reading.finish())
}

fn places(question: &ListQuestion, reading: &Reading<'_>) -> Vec<Value> {
    let tag = question.listing.filter.tag.as_ref().map(Tag::as_str);
    let owner = question.sight.owner.map(|KeyId(owner)| owner);
    let ((first, second), wanted) = (reading.bounds(), i64::try_from(reading.wanted()).unwrap_or(i64::MAX));
    let mut places: Vec<Value> = tag.map(|tag| tag.to_owned().into()).into_iter().collect();
    if tag.is_some() || owner.is_some() {
        places.push(owner.into());
    }
    places.extend([first, second, wanted].map(Value::from));
    places
}
