//! Links whose making depends on more than their code, and leaves more than a link.

use std::mem;

use rusqlite::{Connection, OptionalExtension as _, Result};

use crate::receipt::{NewReceipt, Receipt};
use crate::sqlite::change_log::ChangeLog;
use crate::sqlite::receipt;
use crate::sqlite::row::{self, link_columns};
use crate::{Insertion, NewLink, Terms, target_hash};

/// Makes a link, unless its request was answered before or another will do, and writes what is answered now.
pub(super) fn insert(sql: &Connection, log: &mut ChangeLog, mut new: NewLink) -> Result<Insertion> {
    let Terms { receipt, reuse } = mem::take(&mut new.terms);
    let Some(NewReceipt { request, fingerprint, say, now }) = receipt else {
        return find_or_insert(sql, log, new, reuse);
    };
    if let Some(known) = receipt::find(sql, request)? {
        return Ok(Insertion::Answered(known));
    }
    let insertion = find_or_insert(sql, log, new, reuse)?;
    if let Some(answer) = say(&insertion) {
        receipt::insert(sql, request, &Receipt { fingerprint, answer }, now)?;
    }
    Ok(insertion)
}

fn find_or_insert(sql: &Connection, log: &mut ChangeLog, new: NewLink, reuse: bool) -> Result<Insertion> {
    match if reuse { find(sql, &new)? } else { None } {
        Some(insertion) => Ok(insertion),
        None => super::insert(sql, log, new),
    }
}

/// See [`Insertion::Found`].
const FIND: &str = concat!(
    "SELECT ",
    link_columns!(),
    " FROM links
    WHERE owner = ?1 AND target_hash = ?2 AND target = ?3 AND domain = ?4 AND deleted_at IS NULL AND active AND NOT private
        AND (valid_from IS NULL OR valid_from <= ?5) AND expires_at IS NULL AND max_clicks IS NULL AND password_hash IS NULL
    ORDER BY id LIMIT 1"
);

fn find(sql: &Connection, new: &NewLink) -> Result<Option<Insertion>> {
    let (owner, target) = (new.caller.owner().map(|owner| owner.0), &new.draft.target);
    let parameters = (owner, target_hash::of(target), target.as_str(), new.domain.0, new.now.as_millis());
    let found = sql.prepare_cached(FIND)?.query_row(parameters, row::link).optional()?;
    Ok(found.map(Insertion::Found))
}
