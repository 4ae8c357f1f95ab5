//! Codes that links had. One that a link is still found by is its alias, and has a row of its own.

use hny_domain::{Code, CodeOrigin, DomainId, Lead, Link, Rename, Timestamp};
use rusqlite::{Connection, OptionalExtension as _, Result, named_params};

use super::update;
use crate::Edition;
use crate::rights::Rights;
use crate::sqlite::change_log::ChangeLog;
use crate::sqlite::row::{self, lead_columns};

const LEAD: &str = concat!(
    "SELECT ",
    lead_columns!(),
    ", (SELECT version FROM links WHERE domain = ?1 AND code = ?2)
    FROM links WHERE id = (SELECT alias_of FROM links WHERE domain = ?1 AND code = ?2) AND deleted_at IS NULL"
);

/// What a visit needs of a link that is found by an alias. Its version is that of the alias, by which caches know what is new.
pub(super) fn lead<T>(
    sql: &Connection,
    domain: DomainId,
    code: &Code,
    take: impl FnOnce(Lead<'_>) -> T,
) -> Result<Option<T>> {
    let mut find = sql.prepare_cached(LEAD)?;
    let version_column = find.column_count() - 1;
    let lead = |row: &rusqlite::Row<'_>| {
        let version = row::version(row, version_column)?;
        row::lead(row).map(|lead| take(Lead { version, ..lead }))
    };
    find.query_row((domain.0, code.as_str()), lead).optional()
}

/// What a code looks like, if it was chosen.
pub(super) fn skeleton(code: &Code, origin: CodeOrigin) -> Option<String> {
    (origin == CodeOrigin::Custom).then(|| code.skeleton())
}

/// Whether a link can have a code that has a row: its own alias, or what somebody left who may have it again.
const CAN_HAVE: &str = "
    SELECT coalesce(alias_of = ?3 OR (deleted_at IS NOT NULL AND alias_of IS NULL AND is_custom AND (?4 OR owner = ?5)), 0)
    FROM links WHERE domain = ?1 AND code = ?2";

const LOOKALIKE: &str = "SELECT EXISTS (
    SELECT 1 FROM links WHERE domain = ?1 AND skeleton = ?2 AND code <> ?3 AND id <> ?4 AND alias_of IS NOT ?4)";

/// Sees to it that a link can be given its new code; else the refusal.
pub(super) fn clear_the_way(sql: &Connection, link: &Link, rename: &Rename, rights: Rights) -> Result<Option<Edition>> {
    let (domain, code, owner) = (link.domain.0, rename.code.as_str(), rights.owner.map(|owner| owner.0));
    let parameters = (domain, code, link.id.0, rights.any_owner, owner);
    let can_have: Option<bool> = sql.prepare_cached(CAN_HAVE)?.query_row(parameters, |row| row.get(0)).optional()?;
    if can_have == Some(false) {
        return Ok(Some(Edition::CodeTaken));
    }
    let parameters = (domain, rename.code.skeleton(), code, link.id.0);
    if !rename.allow_lookalike && sql.prepare_cached(LOOKALIKE)?.query_row(parameters, |row| row.get(0))? {
        return Ok(Some(Edition::Lookalike));
    }
    if can_have.is_some() {
        sql.prepare_cached("DELETE FROM links WHERE domain = ?1 AND code = ?2 AND deleted_at IS NOT NULL")?
            .execute((domain, code))?;
    }
    Ok(None)
}

/// Gives the aliases of a changed link their versions.
pub(super) fn follow(sql: &Connection, log: &mut ChangeLog, link: &Link) -> Result<()> {
    link.aliases.iter().try_for_each(|code| touch(sql, log, link, code))
}

/// The same after a rename, with a row for the old code.
pub(super) fn leave(sql: &Connection, log: &mut ChangeLog, link: &Link, old: (&Code, CodeOrigin)) -> Result<()> {
    for code in &link.aliases {
        if code == old.0 {
            insert(sql, log, link, old, true)?;
        } else {
            touch(sql, log, link, code)?;
        }
    }
    if link.aliases.contains(old.0) { Ok(()) } else { insert(sql, log, link, old, false) }
}

/// Deletes an alias of a link; the link as it is now.
pub(super) fn delete(
    sql: &Connection,
    log: &mut ChangeLog,
    mut link: Link,
    code: &Code,
    now: Timestamp,
) -> Result<Link> {
    link.aliases.retain(|alias| alias != code);
    link.updated_at = now;
    update(sql, log, &mut link)?;
    follow(sql, log, &link)?;
    end(sql, log, &link, code)?;
    Ok(link)
}

/// Makes an alias a tombstone.
pub(super) fn end(sql: &Connection, log: &mut ChangeLog, link: &Link, code: &Code) -> Result<()> {
    change(
        sql,
        log,
        link,
        code,
        "UPDATE links SET alias_of = NULL, skeleton = NULL, version = ?3 WHERE domain = ?1 AND code = ?2",
    )
}

fn touch(sql: &Connection, log: &mut ChangeLog, link: &Link, code: &Code) -> Result<()> {
    change(sql, log, link, code, "UPDATE links SET version = ?3 WHERE domain = ?1 AND code = ?2")
}

fn change(sql: &Connection, log: &mut ChangeLog, link: &Link, code: &Code, statement: &str) -> Result<()> {
    let version = log.next_version().0.cast_signed();
    sql.prepare_cached(statement)?.execute((link.domain.0, code.as_str(), version))?;
    log.record(link.domain, code.clone());
    Ok(())
}

/// The row of a code that a link had. A drawn one is never given again, alias or not.
const INSERT: &str = "
    INSERT INTO links (id, domain, code, is_custom, owner, created_at, updated_at, active, version, private, skeleton, deleted_at,
        alias_of)
    VALUES (-:version, :domain, :code, :is_custom, :owner, :now, :now, 1, :version, :private, :skeleton, :now, :alias_of)";

fn insert(
    sql: &Connection,
    log: &mut ChangeLog,
    link: &Link,
    (code, origin): (&Code, CodeOrigin),
    is_alias: bool,
) -> Result<()> {
    sql.prepare_cached(INSERT)?.execute(named_params! {
        ":version": log.next_version().0.cast_signed(),
        ":domain": link.domain.0,
        ":code": code.as_str(),
        ":is_custom": origin == CodeOrigin::Custom,
        ":owner": link.owner.map(|owner| owner.0),
        ":now": link.updated_at.as_millis(),
        ":private": link.private,
        ":skeleton": skeleton(code, origin).filter(|_| is_alias),
        ":alias_of": is_alias.then_some(link.id.0),
    })?;
    log.record(link.domain, code.clone());
    Ok(())
}
