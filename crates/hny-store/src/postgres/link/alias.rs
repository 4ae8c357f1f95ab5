//! Codes that links had. One that a link is still found by is its alias, and has a row of its own.

use hny_domain::{Code, CodeOrigin, Link, Rename, Timestamp, Version};
use tokio_postgres::Row;

use super::{id, update};
use crate::Edition;
use crate::postgres::change::Write;
use crate::postgres::failure::Failure;
use crate::postgres::row;

/// Or the link that has the code `$2` for an alias; and behind it the version of the alias, by which caches know what is new.
macro_rules! or_lead {
    () => {
        concat!(
            " UNION ALL SELECT ",
            lead_columns!(),
            ", (SELECT a.version FROM links a WHERE a.domain = $1 AND a.code = $2) FROM links \
             WHERE id = (SELECT a.alias_of FROM links a WHERE a.domain = $1 AND a.code = $2) AND deleted_at IS NULL"
        )
    };
}
pub(super) use or_lead;

/// What a code looks like, if it was chosen.
pub(super) fn skeleton(code: &Code, origin: CodeOrigin) -> Option<String> {
    (origin == CodeOrigin::Custom).then(|| code.skeleton())
}

/// Behind the columns of a link: whether it can have the code `$5`, if that has a row: its own alias, or what somebody left who may have
/// it again; and whether another chosen code looks like it.
macro_rules! obstacle_columns {
    () => {
        r#", (
            SELECT coalesce(o.alias_of = links.id OR (o.deleted_at IS NOT NULL AND o.alias_of IS NULL AND o.is_custom
                AND ($6::boolean OR o.owner = $7::bigint)), false)
            FROM links o WHERE o.domain = links.domain AND o.code = $5::text COLLATE "C"
        ), EXISTS (
            SELECT FROM links o
            WHERE o.domain = links.domain AND o.skeleton = $8::text COLLATE "C" AND o.code <> $5::text COLLATE "C"
                AND o.id <> links.id AND o.alias_of IS DISTINCT FROM links.id
        )"#
    };
}
pub(super) use obstacle_columns;

/// Why a link cannot have its new code, as its row says.
pub(super) fn refusal(found: &Row, rename: &Rename) -> Result<Option<Edition>, Failure> {
    let columns = found.len();
    let (can_have, has_lookalike): (Option<bool>, bool) =
        (row::get(found, columns - 2)?, row::get(found, columns - 1)?);
    Ok(match can_have {
        Some(false) => Some(Edition::CodeTaken),
        _ if has_lookalike && !rename.allow_lookalike => Some(Edition::Lookalike),
        _ => None,
    })
}

/// Removes what is left under the new code of a link.
pub(super) fn clear_the_way(link: &Link) -> Write {
    let parameters = vec![Box::new(id(link.domain)) as _, Box::new(link.code.as_str().to_owned()) as _];
    Write { sql: "DELETE FROM links WHERE domain = $1 AND code = $2 AND deleted_at IS NOT NULL", parameters }
}

/// Gives the aliases of a changed link their versions.
pub(super) fn follow(link: &Link) -> Vec<Write> {
    let touched = link.codes().skip(1).map(|(code, version)| touch(link, code, version));
    with_versions(link, touched.collect())
}

/// The same after a rename, with a row for the old code.
pub(super) fn leave(link: &Link, old: (&Code, CodeOrigin)) -> Vec<Write> {
    let write = |(code, version)| {
        if code == old.0 { insert(link, old, version, true) } else { touch(link, code, version) }
    };
    let mut writes: Vec<_> = link.codes().skip(1).map(write).collect();
    if !link.aliases.contains(old.0) {
        writes.push(insert(link, old, version_behind(link), false));
    }
    with_versions(link, writes)
}

/// Deletes an alias of a link, which is changed.
pub(super) fn delete(link: &mut Link, code: &Code, now: Timestamp, begins: bool) -> Vec<Write> {
    link.aliases.retain(|alias| alias != code);
    link.updated_at = now;
    let touched = link.codes().skip(1).map(|(code, version)| touch(link, code, version));
    let mut writes = vec![update(link, begins)];
    writes.extend(with_versions(link, touched.chain([end(link, code, version_behind(link))]).collect()));
    writes
}

/// Makes all aliases of a deleted link tombstones.
pub(super) fn end_all(link: &Link) -> Vec<Write> {
    let ended = link.codes().skip(1).map(|(code, version)| end(link, code, version));
    with_versions(link, ended.collect())
}

fn version_behind(link: &Link) -> Version {
    Version(link.version.0 + 1 + link.aliases.len() as u64)
}

/// Takes the versions of these changes, one each: the one of the link is taken.
fn with_versions(link: &Link, mut writes: Vec<Write>) -> Vec<Write> {
    if !writes.is_empty() {
        let last = link.version.0 + writes.len() as u64;
        let parameters = vec![Box::new(last.cast_signed()) as _];
        writes.push(Write { sql: "UPDATE sequence SET version = $1", parameters });
    }
    writes
}

fn end(link: &Link, code: &Code, version: Version) -> Write {
    let sql = "UPDATE links SET alias_of = NULL, skeleton = NULL, version = $3 WHERE domain = $1 AND code = $2";
    change(link, code, version, sql)
}

fn touch(link: &Link, code: &Code, version: Version) -> Write {
    change(link, code, version, "UPDATE links SET version = $3 WHERE domain = $1 AND code = $2")
}

fn change(link: &Link, code: &Code, version: Version, sql: &'static str) -> Write {
    let parameters = vec![
        Box::new(id(link.domain)) as _,
        Box::new(code.as_str().to_owned()) as _,
        Box::new(version.0.cast_signed()) as _,
    ];
    Write { sql, parameters }
}

/// The row of a code that a link had. A drawn one is never given again, alias or not.
const INSERT: &str = "
    INSERT INTO links (id, domain, code, is_custom, owner, created_at, updated_at, active, version, private, skeleton, deleted_at,
        alias_of)
    VALUES (-$1::bigint, $2, $3, $4, $5, $6::bigint, $6::bigint, true, $1::bigint, $7, $8, $6::bigint, $9)";

fn insert(link: &Link, (code, origin): (&Code, CodeOrigin), version: Version, is_alias: bool) -> Write {
    let parameters = vec![
        Box::new(version.0.cast_signed()) as _,
        Box::new(id(link.domain)) as _,
        Box::new(code.as_str().to_owned()) as _,
        Box::new(origin == CodeOrigin::Custom) as _,
        Box::new(link.owner.map(|owner| owner.0)) as _,
        Box::new(link.updated_at.as_millis()) as _,
        Box::new(link.private) as _,
        Box::new(skeleton(code, origin).filter(|_| is_alias)) as _,
        Box::new(is_alias.then_some(link.id.0)) as _,
    ];
    Write { sql: INSERT, parameters }
}
