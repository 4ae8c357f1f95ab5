//! The SQL for links.

mod alias;
mod terms;

use hny_domain::{
    Caller, Code, CodeOrigin, DomainId, Edit, Expected, Lead, Link, PasswordHash, RedirectStatus, Tag, Target,
    Timestamp,
};
use rusqlite::{Connection, OptionalExtension as _, Result, named_params};

use super::Sqlite;
use super::change_log::ChangeLog;
use super::generation;
use super::row::{self, lead_columns, link_columns};
use crate::rights::Rights;
use crate::{Deletion, Edition, Insertion, NewLink, StoreError, target_hash};

impl Sqlite {
    pub(crate) async fn insert_link(&self, link: NewLink, begins: bool) -> Result<Insertion, StoreError> {
        self.change_links(begins, move |sql, log| Ok(terms::insert(sql, log, link)?)).await
    }

    pub(crate) fn find_link(&self, domain: DomainId, code: &Code) -> Result<Option<Link>, StoreError> {
        self.read(|sql| find(sql, domain, code))
    }

    pub(crate) fn find_lead<T>(
        &self,
        domain: DomainId,
        code: &Code,
        take: impl FnOnce(Lead<'_>) -> T,
    ) -> Result<Option<T>, StoreError> {
        self.read(|sql| lead(sql, domain, code, take))
    }

    pub(crate) async fn edit_link(
        &self,
        (domain, code): (DomainId, Code),
        edit: Edit,
        caller: Caller,
        now: Timestamp,
        begins: bool,
    ) -> Result<Edition, StoreError> {
        let rights = Rights::to_change(caller, domain);
        self.change_links(begins, move |sql, log| {
            let Some(link) = find_own(sql, domain, &code, rights)? else {
                return Ok(Edition::NoSuchLink);
            };
            Ok(edit_found(sql, log, link, edit, Rights::to_take_over(caller, domain), now)?)
        })
        .await
    }

    pub(crate) async fn delete_link(
        &self,
        (domain, code): (DomainId, Code),
        expected: Expected,
        caller: Caller,
        now: Timestamp,
        begins: bool,
    ) -> Result<Deletion, StoreError> {
        let rights = Rights::to_change(caller, domain);
        self.change_links(begins, move |sql, log| {
            let Some(link) = find_own(sql, domain, &code, rights)? else {
                return Ok(Deletion::NoSuchLink);
            };
            if !expected.includes(link.version) {
                return Ok(Deletion::Outdated);
            }
            if link.code != code {
                let link = alias::delete(sql, log, link, &code, now)?;
                return Ok(Deletion::AliasDeleted(Box::new(link), code));
            }
            let before = log.len();
            delete(sql, log, &link, now)?;
            Ok(Deletion::Deleted(log.since(before).to_vec()))
        })
        .await
    }

    /// Changes links; what is changed begins another generation of the shared cache where that is asked for.
    pub(super) async fn change_links<T: Send + 'static>(
        &self,
        begins: bool,
        work: impl FnOnce(&Connection, &mut ChangeLog) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let change = move |sql: &Connection, log: &mut ChangeLog| {
            let before = log.len();
            let value = work(sql, log)?;
            let begun = if begins && log.len() > before { Some(generation::raise(sql, None)?) } else { None };
            Ok((value, begun))
        };
        let (value, begun) = self.change(change).await?;
        if let Some(begun) = begun {
            self.generation().note(&begun);
        }
        Ok(value)
    }
}

/// By a code, or an alias.
const FIND: &str = concat!(
    "SELECT ",
    link_columns!(),
    " FROM links WHERE id = (SELECT coalesce(alias_of, id) FROM links WHERE domain = ?1 AND code = ?2)
        AND deleted_at IS NULL AND (?3 OR owner = ?4)"
);

/// For every visit that the cache does not know, so nothing else is read.
const LEAD: &str =
    concat!("SELECT ", lead_columns!(), " FROM links WHERE domain = ?1 AND code = ?2 AND deleted_at IS NULL");

/// The unique index on (domain, code) decides: the row is new, or it was a tombstone that this caller may take, or no row is
/// written.
const INSERT: &str = "
    INSERT INTO links (id, domain, code, is_custom, owner, target, target_hash, title, created_at, updated_at,
        valid_from, expires_at, redirect_status, forward_query, active, version, private, skeleton, max_clicks,
        forward_path, expired_url, password_hash, tags, note)
    VALUES (:id, :domain, :code, :is_custom, :owner, :target, :target_hash, :title, :created_at, :updated_at,
        :valid_from, :expires_at, :redirect_status, :forward_query, :active, :version, :private, :skeleton, :max_clicks,
        :forward_path, :expired_url, :password_hash, :tags, :note)
    ON CONFLICT (domain, code) DO UPDATE SET
        id = excluded.id, owner = excluded.owner, target = excluded.target, target_hash = excluded.target_hash,
        title = excluded.title, created_at = excluded.created_at, updated_at = excluded.updated_at,
        valid_from = excluded.valid_from, expires_at = excluded.expires_at,
        redirect_status = excluded.redirect_status, forward_query = excluded.forward_query,
        active = excluded.active, version = excluded.version, private = excluded.private,
        skeleton = excluded.skeleton, max_clicks = excluded.max_clicks, forward_path = excluded.forward_path,
        expired_url = excluded.expired_url, password_hash = excluded.password_hash, tags = excluded.tags,
        note = excluded.note, aliases = NULL, deleted_at = NULL
    WHERE links.deleted_at IS NOT NULL AND links.alias_of IS NULL AND links.is_custom AND excluded.is_custom
        AND (:any_owner OR links.owner = excluded.owner)";

const UPDATE: &str = "
    UPDATE links SET target = :target, target_hash = :target_hash, title = :title, updated_at = :updated_at,
        valid_from = :valid_from, expires_at = :expires_at, redirect_status = :redirect_status,
        forward_query = :forward_query, active = :active, version = :version, code = :code,
        is_custom = :is_custom, skeleton = :skeleton, aliases = :aliases, max_clicks = :max_clicks,
        forward_path = :forward_path, expired_url = :expired_url, password_hash = :password_hash, tags = :tags, note = :note
    WHERE id = :id";

/// Triggers remove the clicks of the link, and the rest of what it said.
const DELETE: &str = "
    UPDATE links SET target = NULL, target_hash = NULL, title = NULL, skeleton = NULL, aliases = NULL, updated_at = ?2,
        deleted_at = ?2, version = ?3
    WHERE id = ?1";

/// Whether another chosen code looks like this one.
const LOOKALIKE: &str = "SELECT EXISTS (SELECT 1 FROM links WHERE domain = ?1 AND skeleton = ?2 AND code <> ?3)";

fn insert(sql: &Connection, log: &mut ChangeLog, new: NewLink) -> Result<Insertion> {
    let rights = Rights::to_take_over(new.caller, new.domain);
    let allow_lookalike = new.draft.allow_lookalike;
    let skeleton = new.skeleton();
    let link = new.into_link(log.next_version());
    if let Some(skeleton) = &skeleton
        && !allow_lookalike
        && sql.prepare_cached(LOOKALIKE)?.query_row((link.domain.0, skeleton, link.code.as_str()), |row| row.get(0))?
    {
        // A code that is taken itself is told first: choosing it again with leave would be in vain.
        return Ok(if is_live(sql, &link)? { Insertion::CodeTaken } else { Insertion::Lookalike });
    }
    let rows = sql.prepare_cached(INSERT)?.execute(named_params! {
        ":id": link.id.0,
        ":domain": link.domain.0,
        ":code": link.code.as_str(),
        ":is_custom": link.origin == CodeOrigin::Custom,
        ":owner": link.owner.map(|owner| owner.0),
        ":target": link.target.as_str(),
        ":target_hash": target_hash::of(&link.target),
        ":title": link.title,
        ":created_at": link.created_at.as_millis(),
        ":updated_at": link.updated_at.as_millis(),
        ":valid_from": link.valid_from.map(Timestamp::as_millis),
        ":expires_at": link.expires_at.map(Timestamp::as_millis),
        ":redirect_status": link.redirect_status.map(RedirectStatus::as_u16),
        ":forward_query": link.forward_query,
        ":active": link.active,
        ":version": link.version.0.cast_signed(),
        ":private": link.private,
        ":skeleton": skeleton,
        ":max_clicks": link.max_clicks,
        ":forward_path": link.forward_path.then_some(true),
        ":expired_url": link.expired_url.as_ref().map(Target::as_str),
        ":password_hash": link.password.as_ref().map(PasswordHash::as_str),
        ":tags": row::stored(link.tags.iter().map(Tag::as_str)),
        ":note": link.note,
        ":any_owner": rights.any_owner,
    })?;
    if rows == 0 {
        return Ok(Insertion::CodeTaken);
    }
    log.record(link.domain, link.code.clone());
    Ok(Insertion::Inserted(link))
}

fn is_live(sql: &Connection, link: &Link) -> Result<bool> {
    Ok(find(sql, link.domain, &link.code)?.is_some())
}

fn find(sql: &Connection, domain: DomainId, code: &Code) -> Result<Option<Link>> {
    find_own(sql, domain, code, Rights::ALL)
}

pub(super) fn find_own(sql: &Connection, domain: DomainId, code: &Code, rights: Rights) -> Result<Option<Link>> {
    let owner = rights.owner.map(|owner| owner.0);
    let parameters = (domain.0, code.as_str(), rights.any_owner, owner);
    sql.prepare_cached(FIND)?.query_row(parameters, row::link).optional()
}

fn lead<T>(sql: &Connection, domain: DomainId, code: &Code, take: impl FnOnce(Lead<'_>) -> T) -> Result<Option<T>> {
    let mut find = sql.prepare_cached(LEAD)?;
    let mut rows = find.query((domain.0, code.as_str()))?;
    match rows.next()? {
        Some(row) => Ok(Some(take(row::lead(row)?))),
        None => alias::lead(sql, domain, code, take),
    }
}

fn edit_found(
    sql: &Connection,
    log: &mut ChangeLog,
    mut link: Link,
    edit: Edit,
    rights: Rights,
    now: Timestamp,
) -> Result<Edition> {
    if !edit.expects(link.version) {
        return Ok(Edition::Outdated);
    }
    let (old, origin, rename) = (link.code.clone(), link.origin, edit.rename().cloned());
    if let Err(error) = edit.apply_to(&mut link, now) {
        return Ok(Edition::Refused(error));
    }
    let Some(rename) = rename.filter(|rename| rename.code != old) else {
        update(sql, log, &mut link)?;
        alias::follow(sql, log, &link)?;
        return Ok(Edition::Edited(link));
    };
    if let Some(refusal) = alias::clear_the_way(sql, &link, &rename, rights)? {
        return Ok(refusal);
    }
    update(sql, log, &mut link)?;
    alias::leave(sql, log, &link, (&old, origin))?;
    Ok(Edition::Renamed(link, old))
}

/// Writes a changed link and gives it its version.
fn update(sql: &Connection, log: &mut ChangeLog, link: &mut Link) -> Result<()> {
    link.version = log.next_version();
    sql.prepare_cached(UPDATE)?.execute(named_params! {
        ":id": link.id.0,
        ":target": link.target.as_str(),
        ":target_hash": target_hash::of(&link.target),
        ":title": link.title,
        ":updated_at": link.updated_at.as_millis(),
        ":valid_from": link.valid_from.map(Timestamp::as_millis),
        ":expires_at": link.expires_at.map(Timestamp::as_millis),
        ":redirect_status": link.redirect_status.map(RedirectStatus::as_u16),
        ":forward_query": link.forward_query,
        ":active": link.active,
        ":version": link.version.0.cast_signed(),
        ":code": link.code.as_str(),
        ":is_custom": link.origin == CodeOrigin::Custom,
        ":skeleton": alias::skeleton(&link.code, link.origin),
        ":aliases": row::stored(link.aliases.iter().map(Code::as_str)),
        ":max_clicks": link.max_clicks,
        ":forward_path": link.forward_path.then_some(true),
        ":expired_url": link.expired_url.as_ref().map(Target::as_str),
        ":password_hash": link.password.as_ref().map(PasswordHash::as_str),
        ":tags": row::stored(link.tags.iter().map(Tag::as_str)),
        ":note": link.note,
    })?;
    log.record(link.domain, link.code.clone());
    Ok(())
}

/// Deletes a link and its aliases.
pub(super) fn delete(sql: &Connection, log: &mut ChangeLog, link: &Link, now: Timestamp) -> Result<()> {
    let version = log.next_version().0.cast_signed();
    sql.prepare_cached(DELETE)?.execute((link.id.0, now.as_millis(), version))?;
    log.record(link.domain, link.code.clone());
    link.aliases.iter().try_for_each(|code| alias::end(sql, log, link, code))
}

#[cfg(test)]
mod tests;
