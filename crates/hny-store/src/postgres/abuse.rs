//! The SQL for reports of abuse.

use std::sync::Arc;

use hny_domain::{Abuse, AbuseId, AbuseReason, AbuseReport, KeyId, LinkId, Timestamp};
use tokio_postgres::Row;

use super::Postgres;
use super::change::{First, Question, Verdict, change};
use super::failure::Failure;
use super::row::{code, corrupt, domain, get, timestamp};
use crate::abuse::MOST_OPEN;
use crate::{NewAbuseReport, StoreError};

impl Postgres {
    pub(crate) async fn insert_abuse_report(&self, report: NewAbuseReport) -> Result<bool, StoreError> {
        let line = Arc::clone(&self.changes);
        self.run(async move {
            let parameters: [&(dyn tokio_postgres::types::ToSql + Sync); 8] = [
                &report.link.0,
                &report.domain.0.cast_signed(),
                &report.code.as_str(),
                &report.abuse.reason.as_str(),
                &report.abuse.detail,
                &report.reporter,
                &report.now.as_millis(),
                &i64::from(MOST_OPEN),
            ];
            let question = Question { first: First::Begin, sql: INSERT, parameters: &parameters };
            change(&*line.lock().await, &question, |_, kept| Ok(Verdict::Keep(!kept.is_empty()))).await
        })
        .await
    }

    pub(crate) async fn list_abuse_reports(
        &self,
        is_open: Option<bool>,
        before: AbuseId,
        limit: u32,
    ) -> Result<Vec<AbuseReport>, StoreError> {
        let list = match is_open {
            None => LIST,
            Some(true) => LIST_OPEN,
            Some(false) => LIST_RESOLVED,
        };
        let rows = self.readers.ask(list, &[&before.0, &i64::from(limit)]).await?;
        Ok(rows.iter().map(report).collect::<Result<_, _>>()?)
    }

    pub(crate) async fn resolve_abuse_report(
        &self,
        id: AbuseId,
        by: Option<KeyId>,
        now: Timestamp,
    ) -> Result<Option<AbuseReport>, StoreError> {
        let line = Arc::clone(&self.changes);
        self.run(async move {
            let by = by.map(|key| key.0);
            let parameters: [&(dyn tokio_postgres::types::ToSql + Sync); 3] = [&id.0, &now.as_millis(), &by];
            let question = Question { first: First::Begin, sql: RESOLVE, parameters: &parameters };
            let decide = |_: &_, rows: &[Row]| Ok(Verdict::Keep(rows.first().map(report).transpose()?));
            change(&*line.lock().await, &question, decide).await
        })
        .await
    }
}

macro_rules! columns {
    () => {
        "id, link, domain, code, reason, detail, reporter, reported_at, resolved_at, resolved_by"
    };
}

macro_rules! select {
    ($condition:literal) => {
        concat!("SELECT ", columns!(), " FROM abuse_reports WHERE ", $condition)
    };
}

const LIST: &str = select!("id < $1 ORDER BY id DESC LIMIT $2");
const LIST_OPEN: &str = select!("id < $1 AND resolved_at IS NULL ORDER BY id DESC LIMIT $2");
const LIST_RESOLVED: &str = select!("id < $1 AND resolved_at IS NOT NULL ORDER BY id DESC LIMIT $2");

/// One that is resolved is written as it is, so that it is answered.
const RESOLVE: &str = concat!(
    "UPDATE abuse_reports SET resolved_at = coalesce(resolved_at, $2),
        resolved_by = CASE WHEN resolved_at IS NULL THEN $3 ELSE resolved_by END
     WHERE id = $1 RETURNING ",
    columns!()
);

/// Those who report at the same moment may be a few too many: the bound is for the disk, not for the count.
const INSERT: &str = "
    INSERT INTO abuse_reports (link, domain, code, reason, detail, reporter, reported_at)
    SELECT $1::bigint, $2::integer, $3::text, $4::text, $5::text, $6::text, $7::bigint
    WHERE (SELECT count(*) FROM abuse_reports WHERE link = $1::bigint AND resolved_at IS NULL) < $8
    ON CONFLICT DO NOTHING
    RETURNING id";

fn report(row: &Row) -> Result<AbuseReport, Failure> {
    Ok(AbuseReport {
        id: AbuseId(get(row, 0)?),
        link: LinkId(get(row, 1)?),
        domain: domain(row, 2)?,
        code: code(row, 3)?,
        abuse: Abuse { reason: get::<&str>(row, 4)?.parse::<AbuseReason>().map_err(corrupt)?, detail: get(row, 5)? },
        reporter: get(row, 6)?,
        reported_at: Timestamp::from_millis(get(row, 7)?),
        resolved_at: timestamp(row, 8)?,
        resolved_by: get::<Option<i64>>(row, 9)?.map(KeyId),
    })
}
