//! The statements that list links. Both databases take them, but for some words: every number is a bigint, and the places are named in
//! the order in which they come first, as SQLite numbers them.

use std::array;

use hny_domain::{Order, Sight};

use crate::list::ListQuestion;

/// The words in which the databases differ.
#[derive(Debug)]
pub(crate) struct Dialect {
    /// The columns of a link.
    pub(crate) columns: &'static str,
    /// The links, by their owner.
    pub(crate) owned: &'static str,
    /// The links, by their tags.
    pub(crate) tagged: &'static str,
    /// A table of links and numbers of their clicks.
    pub(crate) counts: &'static str,
    /// The clicks of a link, by that table.
    pub(crate) clicks: &'static str,
    /// What stands before a condition on those.
    pub(crate) having: &'static str,
}

/// Among which links one looks. Where it can be chosen, the tag goes before the owner: links with a tag are fewer.
#[derive(Debug, Clone, Copy)]
enum Among {
    All,
    Owned,
    Tagged,
}

/// All statements of a database.
#[derive(Debug)]
pub(crate) struct Statements([[String; 4]; 3]);

impl Statements {
    pub(crate) fn of(dialect: &Dialect) -> Self {
        Self([Among::All, Among::Owned, Among::Tagged].map(|among| {
            array::from_fn(|number| {
                let order = Order { by_clicks: number & 2 != 0, is_descending: number & 1 != 0 };
                statement(dialect, among, order)
            })
        }))
    }

    /// The statement that answers a question. Its places are: the tag if there is one, the owner if there is one or a tag, the two
    /// bounds, and how many links are read at most.
    pub(crate) fn choose(&self, ListQuestion { sight, listing, .. }: &ListQuestion) -> &str {
        let among = match (&listing.filter.tag, sight) {
            (Some(_), _) => Among::Tagged,
            (None, Sight { owner: Some(_), .. }) => Among::Owned,
            (None, Sight { owner: None, .. }) => Among::All,
        };
        let Order { by_clicks, is_descending } = listing.order;
        &self.0[among as usize][usize::from(by_clicks) * 2 + usize::from(is_descending)]
    }
}

fn statement(dialect: &Dialect, among: Among, order: Order) -> String {
    if order.by_clicks { by_clicks(dialect, among, order) } else { by_id(dialect, among, order) }
}

/// The tables, what holds for them, the id of a link, and how many places there are.
fn source(dialect: &Dialect, among: Among) -> (&'static str, &'static str, &'static str, usize) {
    match among {
        Among::All => ("links", "TRUE", "links.id", 0),
        Among::Owned => (dialect.owned, "links.owner = CAST($1 AS bigint)", "links.id", 1),
        Among::Tagged => (
            dialect.tagged,
            "link_tags.tag = $1 AND (CAST($2 AS bigint) IS NULL OR links.owner = CAST($2 AS bigint))",
            "link_tags.link",
            2,
        ),
    }
}

/// By the ids between two: each page begins in an index where the one before has ended.
fn by_id(dialect: &Dialect, among: Among, order: Order) -> String {
    let (tables, condition, id, places) = source(dialect, among);
    let [low, high, limit] = [1, 2, 3].map(|number| places + number);
    let (columns, direction) = (dialect.columns, direction(order));
    format!(
        "SELECT {columns}, CAST(0 AS bigint) FROM {tables}
        WHERE {condition} AND {id} > CAST(${low} AS bigint) AND {id} < CAST(${high} AS bigint) AND links.deleted_at IS NULL
        ORDER BY {id} {direction} LIMIT CAST(${limit} AS bigint)"
    )
}

/// By clicks: all links are ranked by what is in indexes, and those of the page are read.
fn by_clicks(dialect: &Dialect, among: Among, order: Order) -> String {
    let (tables, condition, _, places) = source(dialect, among);
    let [clicks, id, limit] = [1, 2, 3].map(|number| places + number);
    let Dialect { columns, counts, clicks: count, having, .. } = dialect;
    let (compare, direction) = (if order.is_descending { "<" } else { ">" }, direction(order));
    format!(
        "SELECT {columns}, ranked.clicks FROM (
            SELECT links.id AS link, {count} AS clicks FROM {tables} LEFT JOIN {counts} AS c ON c.link = links.id
            WHERE {condition} AND links.deleted_at IS NULL
            {having} ({count}, links.id) {compare} (CAST(${clicks} AS bigint), CAST(${id} AS bigint))
            ORDER BY {count} {direction}, links.id {direction} LIMIT CAST(${limit} AS bigint)
        ) AS ranked JOIN links ON links.id = ranked.link ORDER BY ranked.clicks {direction}, ranked.link {direction}"
    )
}

const fn direction(order: Order) -> &'static str {
    if order.is_descending { "DESC" } else { "ASC" }
}
