//! The statements that list links. Both databases take them, but for some words: every number is a bigint, and the arguments are named in
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
    /// What has the clicks of each link that was followed: all of them, and by owner.
    pub(crate) ranks: &'static str,
    pub(crate) owned_ranks: &'static str,
    /// Whether the link of a rank is there; what has ranks of deleted links has to look.
    pub(crate) is_live: &'static str,
    /// The links of ranks, which are read by their ids.
    pub(crate) of_ranks: &'static str,
}

/// Among which links one looks. Where it can be chosen, the tag goes before the owner: links with a tag are fewer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Among {
    /// All there are.
    All,
    /// An owner's.
    Owned,
    /// Those with a tag, of an owner or all.
    Tagged,
}

impl Among {
    /// The fewest among which all are that are asked for.
    pub(crate) fn fewest(question: &ListQuestion) -> Self {
        if question.listing.filter.tag.is_some() { Self::Tagged } else { Self::in_sight(question) }
    }

    /// Those that whoever asks may see.
    pub(crate) fn in_sight(question: &ListQuestion) -> Self {
        match question.sight {
            Sight { owner: Some(_), .. } => Self::Owned,
            Sight { owner: None, .. } => Self::All,
        }
    }
}

/// A statement for each way to look, and for both directions.
#[derive(Debug)]
pub(crate) struct Table([[String; 2]; 3]);

impl Table {
    fn of(statement: impl Fn(Among, Order) -> String) -> Self {
        Self([Among::All, Among::Owned, Among::Tagged].map(|among| {
            array::from_fn(|number| statement(among, Order { by_clicks: false, is_descending: number == 1 }))
        }))
    }

    pub(crate) fn choose(&self, among: Among, order: Order) -> &str {
        &self.0[among as usize][usize::from(order.is_descending)]
    }
}

/// All statements of a database.
///
/// Their arguments are: the tag if one looks among tagged links, then the owner if one looks among tagged or owned, and the three that
/// each has.
#[derive(Debug)]
pub(crate) struct Statements {
    /// Links between two ids, so many at most.
    pub(crate) by_id: Table,
    /// The same without those that were followed.
    pub(crate) unfollowed: Table,
    /// The id of the link that comes as many behind the first between two ids. It has no argument for an owner where one for a tag is.
    pub(crate) horizon: Table,
    /// Links behind a number of clicks and an id, so many at most, without those that were never followed. (Among tagged links: with
    /// them.)
    pub(crate) by_clicks: Table,
    /// How many links a tag has, or the second argument if they are more.
    pub(crate) tag_size: &'static str,
}

impl Statements {
    pub(crate) fn of(dialect: &Dialect) -> Self {
        Self {
            by_id: Table::of(|among, order| by_id(dialect, among, order, "")),
            unfollowed: Table::of(|among, order| by_id(dialect, among, order, UNFOLLOWED)),
            horizon: Table::of(|among, order| horizon(dialect, among, order)),
            by_clicks: Table::of(|among, order| match among {
                Among::All => ranked(dialect, (dialect.ranks, ""), 0, order),
                Among::Owned => ranked(dialect, (dialect.owned_ranks, "c.owner = CAST($1 AS bigint) AND "), 1, order),
                Among::Tagged => tagged(dialect, order),
            }),
            tag_size: "SELECT count(*) FROM (SELECT 1 FROM link_tags WHERE tag = $1 LIMIT CAST($2 AS bigint)) AS counted",
        }
    }
}

/// A number that is looked up for each link, whatever a planner thinks of it: a page looks at a few links only.
const CLICKS: &str = "coalesce((SELECT c.clicks FROM @RANKS@ AS c WHERE c.link = links.id), 0)";

const UNFOLLOWED: &str = "AND @CLICKS@ = 0";

fn with_ranks(dialect: &Dialect, sql: &str) -> String {
    sql.replace("@CLICKS@", CLICKS).replace("@RANKS@", dialect.ranks_by_link())
}

impl Dialect {
    /// The name of the table alone.
    fn ranks_by_link(&self) -> &'static str {
        self.ranks.split(' ').next().unwrap_or(self.ranks)
    }
}

/// The tables, what holds for them, the id of a link, and how many arguments there are.
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
fn by_id(dialect: &Dialect, among: Among, order: Order, condition: &str) -> String {
    let (tables, whose, id, arguments) = source(dialect, among);
    let [low, high, limit] = [1, 2, 3].map(|number| arguments + number);
    let (columns, direction) = (dialect.columns, direction(order));
    let sql = format!(
        "SELECT {columns}, CAST(0 AS bigint) FROM {tables}
        WHERE {whose} AND {id} > CAST(${low} AS bigint) AND {id} < CAST(${high} AS bigint) AND links.deleted_at IS NULL {condition}
        ORDER BY {id} {direction} LIMIT CAST(${limit} AS bigint)"
    );
    with_ranks(dialect, &sql)
}

/// Goes over an index only; where that also has deleted links, they count.
fn horizon(dialect: &Dialect, among: Among, order: Order) -> String {
    let (tables, whose, id, arguments) = match among {
        Among::Owned => (dialect.owned, "links.owner = CAST($1 AS bigint) AND links.deleted_at IS NULL", "links.id", 1),
        Among::All => ("links", "TRUE", "links.id", 0),
        Among::Tagged => ("link_tags", "link_tags.tag = $1", "link_tags.link", 1),
    };
    let [low, high, skipped] = [1, 2, 3].map(|number| arguments + number);
    let direction = direction(order);
    format!(
        "SELECT {id} FROM {tables}
        WHERE {whose} AND {id} > CAST(${low} AS bigint) AND {id} < CAST(${high} AS bigint)
        ORDER BY {id} {direction} LIMIT 1 OFFSET CAST(${skipped} AS bigint)"
    )
}

/// By clicks, where all links are ranked: first those with as many clicks, behind the id, then those with others. (SQLite finds no place
/// in an index by both at once.) Each has a limit of its own, or PostgreSQL reads all there are and sorts them.
fn ranked(dialect: &Dialect, (ranks, whose): (&str, &str), arguments: usize, order: Order) -> String {
    let [clicks, id, limit] = [1, 2, 3].map(|number| arguments + number);
    let Dialect { columns, is_live, of_ranks, .. } = dialect;
    let (compare, direction) = (compare(order), direction(order));
    let in_order = format!("ORDER BY 2 {direction}, 1 {direction} LIMIT CAST(${limit} AS bigint)");
    format!(
        "SELECT {columns}, ranked.clicks FROM (
            SELECT * FROM (
                SELECT c.link AS link, c.clicks AS clicks FROM {ranks}
                WHERE {whose}c.clicks = CAST(${clicks} AS bigint) AND c.link {compare} CAST(${id} AS bigint) {is_live} {in_order}
            ) AS alike
            UNION ALL
            SELECT * FROM (
                SELECT c.link AS link, c.clicks AS clicks FROM {ranks}
                WHERE {whose}c.clicks {compare} CAST(${clicks} AS bigint) {is_live} {in_order}
            ) AS others
            {in_order}
        ) AS ranked {of_ranks} ORDER BY ranked.clicks {direction}, ranked.link {direction}"
    )
}

/// By clicks, where the links are so few that they are put in order each time.
fn tagged(dialect: &Dialect, order: Order) -> String {
    let (tables, whose, _, arguments) = source(dialect, Among::Tagged);
    let [clicks, id, limit] = [1, 2, 3].map(|number| arguments + number);
    let Dialect { columns, of_ranks, .. } = dialect;
    let (compare, direction) = (compare(order), direction(order));
    let sql = format!(
        "SELECT {columns}, ranked.clicks FROM (
            SELECT counted.link AS link, counted.clicks AS clicks FROM (
                SELECT links.id AS link, @CLICKS@ AS clicks FROM {tables} WHERE {whose} AND links.deleted_at IS NULL
            ) AS counted
            WHERE (counted.clicks, counted.link) {compare} (CAST(${clicks} AS bigint), CAST(${id} AS bigint))
            ORDER BY 2 {direction}, 1 {direction} LIMIT CAST(${limit} AS bigint)
        ) AS ranked {of_ranks} ORDER BY ranked.clicks {direction}, ranked.link {direction}"
    );
    with_ranks(dialect, &sql)
}

const fn direction(order: Order) -> &'static str {
    if order.is_descending { "DESC" } else { "ASC" }
}

const fn compare(order: Order) -> &'static str {
    if order.is_descending { "<" } else { ">" }
}
