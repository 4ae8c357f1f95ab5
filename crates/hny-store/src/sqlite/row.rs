//! From rows to words of the domain.

use std::error::Error;

use hny_domain::{
    ApiKey, Click, Code, CodeOrigin, DomainId, Grant, KeyId, Lead, Link, LinkId, PasswordHash, RedirectStatus, Role,
    Rules, Tag, Target, Timestamp, Version,
};
use rusqlite::types::Type;
use rusqlite::{Result, Row};

use crate::{Change, StoredKey, stored_click};

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
pub(super) fn link(row: &Row<'_>) -> Result<Link> {
    Ok(Link {
        id: LinkId(row.get(0)?),
        domain: DomainId(row.get(1)?),
        code: code(row, 2)?,
        origin: if row.get(3)? { CodeOrigin::Custom } else { CodeOrigin::Generated },
        target: Target::from_stored(row.get(4)?),
        owner: row.get::<_, Option<i64>>(5)?.map(KeyId),
        created_at: Timestamp::from_millis(row.get(6)?),
        updated_at: Timestamp::from_millis(row.get(7)?),
        valid_from: timestamp(row, 8)?,
        expires_at: timestamp(row, 9)?,
        redirect_status: redirect_status(row, 10)?,
        forward_query: row.get(11)?,
        title: row.get(12)?,
        active: row.get(13)?,
        version: version(row, 14)?,
        private: row.get(15)?,
        max_clicks: row.get(16)?,
        forward_path: row.get::<_, Option<bool>>(17)?.unwrap_or(false),
        expired_url: row.get::<_, Option<String>>(18)?.map(Target::from_stored),
        password: row.get::<_, Option<String>>(19)?.map(PasswordHash::new),
        tags: tags(row, 20)?,
        note: row.get(21)?,
        clicks_used: row.get::<_, Option<u32>>(22)?.unwrap_or(0),
        aliases: codes(row, 23)?,
    })
}

/// The lead of a live link from its columns. The target stays where SQLite has it.
pub(super) fn lead<'a>(row: &'a Row<'_>) -> Result<Lead<'a>> {
    Ok(Lead {
        link: LinkId(row.get(0)?),
        target: row.get_ref(1)?.as_str()?,
        rules: Rules {
            active: row.get(2)?,
            valid_from: timestamp(row, 3)?,
            expires_at: timestamp(row, 4)?,
            redirect_status: redirect_status(row, 5)?,
            forward_query: row.get(6)?,
            forwards_path: row.get::<_, Option<bool>>(8)?.unwrap_or(false),
            is_limited: row.get(9)?,
            is_locked: row.get(10)?,
            is_private: row.get(11)?,
        },
        version: version(row, 7)?,
        expired_url: row.get_ref(12)?.as_str_or_null()?,
    })
}

/// A key from its columns.
pub(super) fn key(row: &Row<'_>) -> Result<ApiKey> {
    let role = row.get_ref(2)?.as_str()?.parse::<Role>().map_err(|error| corrupt(2, Type::Text, error))?;
    let domain = row.get::<_, Option<u32>>(4)?.map(DomainId);
    Ok(ApiKey {
        id: KeyId(row.get(0)?),
        name: row.get(1)?,
        grant: Grant::new(role, row.get(3)?, domain).map_err(|error| corrupt(3, Type::Integer, error))?,
        created_at: Timestamp::from_millis(row.get(5)?),
        expires_at: timestamp(row, 6)?,
        revoked_at: timestamp(row, 7)?,
        last_used_at: timestamp(row, 8)?,
    })
}

/// A key with the hash of its secret.
pub(super) fn stored_key(row: &Row<'_>) -> Result<StoredKey> {
    Ok(StoredKey { key: key(row)?, secret_hash: row.get(9)? })
}

/// A change from domain, code and version.
pub(super) fn change(row: &Row<'_>) -> Result<Change> {
    Ok(Change { domain: DomainId(row.get(0)?), code: code(row, 1)?, version: version(row, 2)? })
}

/// Where a link lives, from domain and code.
pub(super) fn place(row: &Row<'_>) -> Result<(DomainId, Code)> {
    Ok((DomainId(row.get(0)?), code(row, 1)?))
}

/// A click of a link from the columns of [`click_columns`](crate::statistics_sql::click_columns).
pub(super) fn click(row: &Row<'_>, link: LinkId) -> Result<Click> {
    let text = |column: usize| row.get_ref(column)?.as_str().map_err(rusqlite::Error::from);
    let kind = stored_click::visit_kind(row.get(2)?);
    Ok(Click {
        id: stored_click::click_id(row.get(1)?),
        link,
        at: Timestamp::from_millis(row.get(0)?),
        kind: kind
            .ok_or_else(|| corrupt(2, Type::Integer, std::io::Error::other("no kind of visit has this number")))?,
        visitor: row.get::<_, Option<i64>>(3)?.map(stored_click::visitor_id),
        traits: stored_click::traits([text(4)?, text(5)?, text(6)?, text(7)?, text(8)?, text(9)?]),
    })
}

pub(super) fn code(row: &Row<'_>, column: usize) -> Result<Code> {
    Code::parse(row.get_ref(column)?.as_str()?).map_err(|error| corrupt(column, Type::Text, error))
}

pub(super) fn timestamp(row: &Row<'_>, column: usize) -> Result<Option<Timestamp>> {
    Ok(row.get::<_, Option<i64>>(column)?.map(Timestamp::from_millis))
}

pub(super) fn version(row: &Row<'_>, column: usize) -> Result<Version> {
    row.get::<_, i64>(column).map(|version| Version(version.cast_unsigned()))
}

fn redirect_status(row: &Row<'_>, column: usize) -> Result<Option<RedirectStatus>> {
    let number: Option<i64> = row.get(column)?;
    number.map(RedirectStatus::try_from).transpose().map_err(|error| corrupt(column, Type::Integer, error))
}

fn tags(row: &Row<'_>, column: usize) -> Result<Vec<Tag>> {
    Ok(texts(row, column)?.into_iter().map(Tag::from_stored).collect())
}

fn codes(row: &Row<'_>, column: usize) -> Result<Vec<Code>> {
    let code = |text: String| Code::parse(&text).map_err(|error| corrupt(column, Type::Text, error));
    texts(row, column)?.into_iter().map(code).collect()
}

fn texts(row: &Row<'_>, column: usize) -> Result<Vec<String>> {
    let Some(json) = row.get_ref(column)?.as_str_or_null()? else { return Ok(Vec::new()) };
    serde_json::from_str(json).map_err(|error| corrupt(column, Type::Text, error))
}

/// Tags or codes as the database has them.
pub(super) fn stored<'a>(texts: impl Iterator<Item = &'a str>) -> Option<String> {
    let texts: Vec<_> = texts.collect();
    // A list of texts always becomes JSON.
    (!texts.is_empty()).then(|| serde_json::to_string(&texts).unwrap_or_default())
}

pub(super) fn corrupt(column: usize, kind: Type, error: impl Error + Send + Sync + 'static) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(column, kind, Box::new(error))
}
