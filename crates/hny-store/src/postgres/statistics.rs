//! Statistics, by the statements of [`crate::statistics_sql`]. The primary is asked: a replica may be behind.

use std::sync::Arc;
use std::time::Duration;

use hny_domain::{Click, ClickId, Dimension, Grid, Group, KeyId, KindCounts, LinkId, Quarter, Scope, Span, Timestamp};
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

use super::Postgres;
use super::failure::Failure;
use super::row;
use super::session::Session;
use crate::parts::Parts;
use crate::statistics::{by_kind, page_start, slot_start};
use crate::statistics_sql::{
    CLICKS, GROUPS_OF_ALL, GROUPS_OF_DOMAIN, GROUPS_OF_LINK, GROUPS_OF_OWNER, QUARTERS_OF_ALL, QUARTERS_OF_DOMAIN,
    QUARTERS_OF_LINK, QUARTERS_OF_OWNER,
};
use crate::{StoreError, stored_click};

/// How long an answer may take. The statistics of all links read every count of the span.
const LIMIT: Duration = Duration::from_secs(31);

/// The server ends what takes longer by itself. It plans for the link that is asked about: a plan for any link expects few counts, and
/// takes twice as long for one with very many.
const BEGIN: &str =
    "BEGIN READ ONLY; SET LOCAL statement_timeout = '30s'; SET LOCAL plan_cache_mode = force_custom_plan";

/// A statement, and what it has in its places.
type Asked = (&'static str, Vec<Option<i64>>);

impl Postgres {
    pub(crate) async fn quarters(&self, scope: Scope, span: Span, grid: Grid) -> Result<Vec<Quarter>, StoreError> {
        self.read(quarters(scope, span, grid), move |row| quarter(&row, span, grid)).await
    }

    pub(crate) async fn groups(
        &self,
        scope: Scope,
        dimension: Dimension,
        span: Span,
    ) -> Result<Vec<Group>, StoreError> {
        match stored_click::dimension(dimension) {
            Some(dimension) => self.read(groups(scope, dimension, span), |row| group(&row)).await,
            None => Ok(by_kind(&self.quarters(scope, span, Grid::WHOLE).await?)),
        }
    }

    pub(crate) async fn clicks(
        &self,
        link: LinkId,
        span: Span,
        after: Option<(Timestamp, ClickId)>,
        limit: u32,
    ) -> Result<Vec<Click>, StoreError> {
        let (from, (at, id)) = page_start(span, after);
        let places = [link.0, from, span.to.as_millis(), at, id, i64::from(limit)];
        self.read((CLICKS, places.map(Some).to_vec()), move |row| row::click(&row, link)).await
    }

    /// Reads on a connection that nobody who looks up a link waits for.
    async fn read<T: Send + 'static>(
        &self,
        (sql, places): Asked,
        item: impl Fn(Row) -> Result<T, Failure> + Send + 'static,
    ) -> Result<Vec<T>, StoreError> {
        let places = places.into_iter().map(|place| Box::new(place) as _).collect();
        let rows = self.ask_for_long(sql, places).await?;
        Ok(rows.into_iter().map(item).collect::<Result<_, _>>()?)
    }

    /// The rows that answer a question that may take long.
    async fn ask_for_long(
        &self,
        sql: &'static str,
        places: Vec<Box<dyn ToSql + Send + Sync>>,
    ) -> Result<Vec<Row>, StoreError> {
        let line = Arc::clone(&self.statistics);
        self.run(async move {
            let line = line.lock().await;
            let session = line.session().await?;
            let places: Vec<&(dyn ToSql + Sync)> = places.iter().map(|place| &**place as _).collect();
            session.within(LIMIT, ask(&session, sql, &places)).await
        })
        .await
    }
}

/// Asks three things at once, in this order.
async fn ask(session: &Session, sql: &'static str, places: &[&(dyn ToSql + Sync)]) -> Result<Vec<Row>, Failure> {
    let statement = session.statement(sql).await?;
    let client = session.client();
    let (begun, rows, ended) = tokio::join!(
        biased;
        client.batch_execute(BEGIN),
        client.query(&statement, places),
        client.batch_execute("COMMIT"),
    );
    begun?;
    let rows = rows?;
    ended?;
    Ok(rows)
}

fn quarters(scope: Scope, span: Span, grid: Grid) -> Asked {
    let around = Parts::of(span).around;
    let (span, grid) =
        ([span.from.as_millis(), span.to.as_millis()].map(Some), [grid.shift(), grid.length()].map(Some));
    let of_many = |owner| [&[owner][..], &span, &[Some(around.start), Some(around.end)], &grid].concat();
    match scope {
        Scope::Link(LinkId(link)) => (QUARTERS_OF_LINK, [&[Some(link)][..], &span, &grid].concat()),
        Scope::Owner(KeyId(owner)) => (QUARTERS_OF_OWNER, of_many(Some(owner))),
        Scope::Domain(domain) => (QUARTERS_OF_DOMAIN, of_many(Some(domain.0.into()))),
        Scope::All => (QUARTERS_OF_ALL, of_many(None)),
    }
}

fn groups(scope: Scope, dimension: i16, span: Span) -> Asked {
    let Parts { days, edges: [before, behind], around } = Parts::of(span);
    let of_one = [i64::from(dimension), days.start, days.end, before.start, before.end, behind.start, behind.end];
    let of_many = [around.start, around.end, span.from.as_millis(), span.to.as_millis()];
    let places = |first, of_many: &[i64]| {
        let others = of_one.iter().chain(of_many).copied().map(Some);
        [first].into_iter().chain(others).collect()
    };
    match scope {
        Scope::Link(LinkId(link)) => (GROUPS_OF_LINK, places(Some(link), &[])),
        Scope::Owner(KeyId(owner)) => (GROUPS_OF_OWNER, places(Some(owner), &of_many)),
        Scope::Domain(domain) => (GROUPS_OF_DOMAIN, places(Some(domain.0.into()), &of_many)),
        Scope::All => (GROUPS_OF_ALL, places(None, &of_many)),
    }
}

fn quarter(row: &Row, span: Span, grid: Grid) -> Result<Quarter, Failure> {
    let count = |column| row::number(row, column);
    Ok(Quarter {
        start: slot_start(row::get(row, 0)?, span, grid),
        counts: KindCounts { clicks: count(1)?, robots: count(2)?, prefetches: count(3)?, probes: count(4)? },
        uniques: count(5)?,
    })
}

fn group(row: &Row) -> Result<Group, Failure> {
    let value = stored_click::value(row::get(row, 0)?);
    Ok(Group { value, clicks: row::number(row, 1)?, uniques: row::number(row, 2)? })
}
