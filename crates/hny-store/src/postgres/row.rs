//! From rows to words of the domain.

use std::error::Error;
use std::sync::Arc;

use hny_domain::{
    ApiKey, Click, Code, CodeOrigin, DomainId, Grant, KeyId, Lead, Link, LinkId, PasswordHash, RedirectStatus, Role,
    Rules, Tag, Target, Timestamp, Version,
};
use tokio_postgres::Row;
use tokio_postgres::types::FromSql;

use super::failure::Failure;
use crate::{CacheGeneration, Change, StoredKey, stored_click};

type Result<T> = std::result::Result<T, Failure>;

/// The columns that [`link`] reads, in its order. A macro, so that statements are put together at compile time.
macro_rules! link_columns {
    () => {
        "id, domain, code, is_custom, target, owner, created_at, updated_at, valid_from, expires_at, \
         redirect_status, forward_query, title, active, version, private, max_clicks, forward_path, expired_url, \
         password_hash, tags, note, (SELECT used FROM claims WHERE claims.link = links.id), \
         aliases"
    };
}

/// The columns that [`lead`] reads, in its order.
macro_rules! lead_columns {
    () => {
        "id, target, active, valid_from, expires_at, redirect_status, forward_query, version, forward_path, \
         max_clicks IS NOT NULL, password_hash IS NOT NULL, private, expired_url"
    };
}

/// The columns that [`key`] reads, in its order. [`stored_key`] has the hash of the secret behind them.
macro_rules! key_columns {
    () => {
        "id, name, role, own_links, domain, created_at, expires_at, revoked_at, last_used_at"
    };
}

pub(super) use {key_columns, lead_columns, link_columns};

/// A live link from its columns.
pub(super) fn link(row: &Row) -> Result<Link> {
    Ok(Link {
        id: LinkId(get(row, 0)?),
        domain: domain(row, 1)?,
        code: code(row, 2)?,
        origin: if get(row, 3)? { CodeOrigin::Custom } else { CodeOrigin::Generated },
        target: Target::from_stored(get(row, 4)?),
        owner: owner(row, 5)?,
        created_at: Timestamp::from_millis(get(row, 6)?),
        updated_at: Timestamp::from_millis(get(row, 7)?),
        valid_from: timestamp(row, 8)?,
        expires_at: timestamp(row, 9)?,
        redirect_status: redirect_status(row, 10)?,
        forward_query: get(row, 11)?,
        title: get(row, 12)?,
        active: get(row, 13)?,
        version: version(row, 14)?,
        private: get(row, 15)?,
        max_clicks: get::<Option<i64>>(row, 16)?.map(count).transpose()?,
        forward_path: get::<Option<bool>>(row, 17)?.unwrap_or(false),
        expired_url: get::<Option<String>>(row, 18)?.map(Target::from_stored),
        password: get::<Option<String>>(row, 19)?.map(PasswordHash::new),
        tags: get::<Option<Vec<String>>>(row, 20)?.unwrap_or_default().into_iter().map(Tag::from_stored).collect(),
        note: get(row, 21)?,
        clicks_used: get::<Option<i64>>(row, 22)?.map_or(Ok(0), count)?,
        aliases: codes(row, 23)?,
    })
}

/// The lead of a live link from its columns, and the version of the alias by which it is found, if it is. The target stays in the row.
pub(super) fn lead(row: &Row) -> Result<Lead<'_>> {
    Ok(Lead {
        link: LinkId(get(row, 0)?),
        target: get(row, 1)?,
        rules: Rules {
            active: get(row, 2)?,
            valid_from: timestamp(row, 3)?,
            expires_at: timestamp(row, 4)?,
            redirect_status: redirect_status(row, 5)?,
            forward_query: get(row, 6)?,
            forwards_path: get::<Option<bool>>(row, 8)?.unwrap_or(false),
            is_limited: get(row, 9)?,
            is_locked: get(row, 10)?,
            is_private: get(row, 11)?,
        },
        version: version(row, if get::<Option<i64>>(row, 13)?.is_some() { 13 } else { 7 })?,
        expired_url: get(row, 12)?,
    })
}

/// A key from its columns.
pub(super) fn key(row: &Row) -> Result<ApiKey> {
    let role = get::<&str>(row, 2)?.parse::<Role>().map_err(corrupt)?;
    let domain = get::<Option<i32>>(row, 4)?.map(|id| DomainId(id.cast_unsigned()));
    Ok(ApiKey {
        id: KeyId(get(row, 0)?),
        name: get(row, 1)?,
        grant: Grant::new(role, get(row, 3)?, domain).map_err(corrupt)?,
        created_at: Timestamp::from_millis(get(row, 5)?),
        expires_at: timestamp(row, 6)?,
        revoked_at: timestamp(row, 7)?,
        last_used_at: timestamp(row, 8)?,
    })
}

/// A key with the hash of its secret.
pub(super) fn stored_key(row: &Row) -> Result<StoredKey> {
    Ok(StoredKey { key: key(row)?, secret_hash: get::<&[u8]>(row, 9)?.try_into().map_err(corrupt)? })
}

/// Where a link lives, from domain and code.
pub(super) fn place(row: &Row) -> Result<(DomainId, Code)> {
    Ok((domain(row, 0)?, code(row, 1)?))
}

/// A click of a link from the columns of [`click_columns`](crate::statistics_sql::click_columns).
pub(super) fn click(row: &Row, link: LinkId) -> Result<Click> {
    let kind = stored_click::visit_kind(get(row, 2)?);
    let texts = [get(row, 4)?, get(row, 5)?, get(row, 6)?, get(row, 7)?, get(row, 8)?, get(row, 9)?];
    Ok(Click {
        id: stored_click::click_id(get(row, 1)?),
        link,
        at: Timestamp::from_millis(get(row, 0)?),
        kind: kind.ok_or_else(|| corrupt(std::io::Error::other("no kind of visit has this number")))?,
        visitor: get::<Option<i64>>(row, 3)?.map(stored_click::visitor_id),
        traits: stored_click::traits(texts),
    })
}

/// A change from domain, code and version, which begin at a column.
pub(super) fn change(row: &Row, column: usize) -> Result<Change> {
    Ok(Change { domain: domain(row, column)?, code: code(row, column + 1)?, version: version(row, column + 2)? })
}

/// A generation from number and run, which begin at a column.
pub(super) fn generation(row: &Row, column: usize) -> Result<CacheGeneration> {
    let run_id: Option<&str> = get(row, column + 1)?;
    Ok(CacheGeneration { number: number(row, column)?, run_id: run_id.map(Into::into) })
}

pub(super) fn version(row: &Row, column: usize) -> Result<Version> {
    number(row, column).map(Version)
}

pub(super) fn number(row: &Row, column: usize) -> Result<u64> {
    get::<i64>(row, column).map(i64::cast_unsigned)
}

pub(super) fn get<'a, T: FromSql<'a>>(row: &'a Row, column: usize) -> Result<T> {
    row.try_get(column).map_err(corrupt)
}

pub(super) fn corrupt(error: impl Error + Send + Sync + 'static) -> Failure {
    Failure::Corrupt(Arc::new(error))
}

pub(super) fn owner(row: &Row, column: usize) -> Result<Option<KeyId>> {
    Ok(get::<Option<i64>>(row, column)?.map(KeyId))
}

fn count(number: i64) -> Result<u32> {
    u32::try_from(number).map_err(corrupt)
}

pub(super) fn domain(row: &Row, column: usize) -> Result<DomainId> {
    get::<i32>(row, column).map(|id| DomainId(id.cast_unsigned()))
}

pub(super) fn code(row: &Row, column: usize) -> Result<Code> {
    Code::parse(get(row, column)?).map_err(corrupt)
}

fn codes(row: &Row, column: usize) -> Result<Vec<Code>> {
    let texts: Vec<&str> = get::<Option<_>>(row, column)?.unwrap_or_default();
    texts.into_iter().map(|text| Code::parse(text).map_err(corrupt)).collect()
}

pub(super) fn timestamp(row: &Row, column: usize) -> Result<Option<Timestamp>> {
    Ok(get::<Option<i64>>(row, column)?.map(Timestamp::from_millis))
}

fn redirect_status(row: &Row, column: usize) -> Result<Option<RedirectStatus>> {
    let number: Option<i16> = get(row, column)?;
    number.map(|number| RedirectStatus::try_from(i64::from(number))).transpose().map_err(corrupt)
}
