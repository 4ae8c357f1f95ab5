//! The SQL for reports of abuse.

use hny_domain::{Abuse, AbuseId, AbuseReason, AbuseReport, DomainId, KeyId, LinkId, Timestamp};
use rusqlite::types::Type;
use rusqlite::{Connection, OptionalExtension as _, Result, Row, named_params};

use super::Sqlite;
use super::row::{code, corrupt, timestamp};
use crate::abuse::MOST_OPEN;
use crate::{NewAbuseReport, StoreError};

impl Sqlite {
    pub(crate) async fn insert_abuse_report(&self, report: NewAbuseReport) -> Result<bool, StoreError> {
        self.change(move |sql, _| Ok(insert(sql, &report)?)).await
    }

    pub(crate) async fn list_abuse_reports(
        &self,
        is_open: Option<bool>,
        before: AbuseId,
        limit: u32,
    ) -> Result<Vec<AbuseReport>, StoreError> {
        self.read_aside(move |sql| {
            let list = match is_open {
                None => LIST,
                Some(true) => LIST_OPEN,
                Some(false) => LIST_RESOLVED,
            };
            sql.prepare_cached(list)?.query_map((before.0, limit), report)?.collect()
        })
        .await
    }

    pub(crate) async fn resolve_abuse_report(
        &self,
        id: AbuseId,
        by: Option<KeyId>,
        now: Timestamp,
    ) -> Result<Option<AbuseReport>, StoreError> {
        self.change(move |sql, _| {
            sql.execute(RESOLVE, (id.0, now.as_millis(), by.map(|key| key.0)))?;
            Ok(sql.query_row(FIND, [id.0], report).optional()?)
        })
        .await
    }
}

macro_rules! select {
    ($($condition:literal),+) => {
        concat!(
            "SELECT id, link, domain, code, reason, detail, reporter, reported_at, resolved_at, resolved_by
             FROM abuse_reports WHERE ", $($condition),+
        )
    };
}

const FIND: &str = select!("id = ?1");
const LIST: &str = select!("id < ?1 ORDER BY id DESC LIMIT ?2");
const LIST_OPEN: &str = select!("id < ?1 AND resolved_at IS NULL ORDER BY id DESC LIMIT ?2");
const LIST_RESOLVED: &str = select!("id < ?1 AND resolved_at IS NOT NULL ORDER BY id DESC LIMIT ?2");

const RESOLVE: &str =
    "UPDATE abuse_reports SET resolved_at = ?2, resolved_by = ?3 WHERE id = ?1 AND resolved_at IS NULL";

const INSERT: &str = "
    INSERT INTO abuse_reports (link, domain, code, reason, detail, reporter, reported_at)
    SELECT :link, :domain, :code, :reason, :detail, :reporter, :now
    WHERE (SELECT count(*) FROM abuse_reports WHERE link = :link AND resolved_at IS NULL) < :most
    ON CONFLICT DO NOTHING";

fn insert(sql: &Connection, report: &NewAbuseReport) -> Result<bool> {
    let inserted = sql.prepare_cached(INSERT)?.execute(named_params! {
        ":link": report.link.0,
        ":domain": report.domain.0,
        ":code": report.code.as_str(),
        ":reason": report.abuse.reason.as_str(),
        ":detail": report.abuse.detail,
        ":reporter": report.reporter,
        ":now": report.now.as_millis(),
        ":most": MOST_OPEN,
    })?;
    Ok(inserted > 0)
}

fn report(row: &Row<'_>) -> Result<AbuseReport> {
    let reason = row.get_ref(4)?.as_str()?.parse::<AbuseReason>().map_err(|error| corrupt(4, Type::Text, error))?;
    Ok(AbuseReport {
        id: AbuseId(row.get(0)?),
        link: LinkId(row.get(1)?),
        domain: DomainId(row.get(2)?),
        code: code(row, 3)?,
        abuse: Abuse { reason, detail: row.get(5)? },
        reporter: row.get(6)?,
        reported_at: Timestamp::from_millis(row.get(7)?),
        resolved_at: timestamp(row, 8)?,
        resolved_by: row.get::<_, Option<i64>>(9)?.map(KeyId),
    })
}
