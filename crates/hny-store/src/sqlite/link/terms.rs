//! Links whose making depends on more than their code, and leaves more than a link.

use std::mem;

use rusqlite::{Connection, Result};

use crate::receipt::{NewReceipt, Receipt};
use crate::sqlite::change_log::ChangeLog;
use crate::sqlite::receipt;
use crate::{Insertion, NewLink};

/// Makes a link, unless its request was answered before, and writes what is answered now.
pub(super) fn insert(sql: &Connection, log: &mut ChangeLog, mut new: NewLink) -> Result<Insertion> {
    let Some(NewReceipt { request, fingerprint, say, now }) = mem::take(&mut new.terms).receipt else {
        return super::insert(sql, log, new);
    };
    if let Some(known) = receipt::find(sql, request)? {
        return Ok(Insertion::Answered(known));
    }
    let insertion = super::insert(sql, log, new)?;
    if let Some(answer) = say(&insertion) {
        receipt::insert(sql, request, &Receipt { fingerprint, answer }, now)?;
    }
    Ok(insertion)
}
