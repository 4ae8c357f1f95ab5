//! Who may change what, and what needs a look at the rows themselves.

use std::sync::atomic::{AtomicI64, Ordering};

use crate::Terms;
use hny_domain::{Draft, Grant, KeyId, LinkId, Role, Version};
use rusqlite::params;

use super::*;
use crate::sqlite::migrations;

const MINE: Caller = Caller::Key(KeyId(1), Grant::of(Role::Creator));
const OTHER: Caller = Caller::Key(KeyId(2), Grant::of(Role::Creator));
const NOBODY: Caller = Caller::Anonymous;
const ADMIN: Caller = Caller::Key(KeyId(3), Grant::EVERYTHING);
const OPERATOR: Caller = Caller::Operator;
const NOW: Timestamp = Timestamp::from_millis(1_900_000_000_000);

fn database() -> Connection {
    let mut sql = Connection::open_in_memory().unwrap();
    sql.pragma_update(None, "foreign_keys", true).unwrap();
    migrations::migrate(&mut sql).unwrap();
    for id in 1..=3 {
        sql.execute(
            "INSERT INTO keys (id, name, role, secret_hash, created_at) VALUES (?1, 'a key', 'admin', zeroblob(32), 0)",
            [id],
        )
        .unwrap();
    }
    sql
}

/// A primary key that no other link of these tests has.
fn next_id() -> LinkId {
    static LAST: AtomicI64 = AtomicI64::new(0);
    LinkId(LAST.fetch_add(1, Ordering::Relaxed) + 1)
}

fn new(code: &str, origin: CodeOrigin) -> NewLink {
    let target = Target::parse("https://example.com/secret").unwrap();
    let draft = Draft { title: Some("a title".to_owned()), ..Draft::plain(target) };
    let caller = Caller::Anonymous;
    NewLink {
        id: next_id(),
        domain: DomainId::BASE,
        code: Code::parse(code).unwrap(),
        origin,
        draft,
        caller,
        now: NOW,
        terms: Terms::default(),
    }
}

/// Does something in a transaction's way: log, work, sequence.
fn within<T>(sql: &Connection, work: impl FnOnce(&mut ChangeLog) -> Result<T>) -> Result<T> {
    let mut log = ChangeLog::read(sql)?;
    let value = work(&mut log)?;
    log.write(sql)?;
    Ok(value)
}

fn insert_as(sql: &Connection, code: &str, origin: CodeOrigin, caller: Caller) -> Insertion {
    within(sql, |log| insert(sql, log, NewLink { caller, ..new(code, origin) })).unwrap()
}

fn delete_as(sql: &Connection, code: &str, caller: Caller) -> bool {
    let rights = Rights::to_change(caller, DomainId::BASE);
    let found = find_own(sql, DomainId::BASE, &Code::parse(code).unwrap(), rights).unwrap();
    found.is_some_and(|link| within(sql, |log| delete(sql, log, &link, NOW)).is_ok())
}

/// Whether a caller may have `wanted` code "a" that was a link of `before` with code of origin `was`, deleted by an admin.
fn is_given_again(was: CodeOrigin, before: Caller, wanted: CodeOrigin, caller: Caller) -> bool {
    let sql = database();
    let first = insert_as(&sql, "a", was, before);
    assert!(delete_as(&sql, "a", ADMIN));
    match (first, insert_as(&sql, "a", wanted, caller)) {
        (Insertion::Inserted(old), Insertion::Inserted(new)) => {
            assert!(new.id != old.id && new.version > old.version, "another link");
            assert_eq!(new.owner, caller.owner());
            assert_eq!(find(&sql, DomainId::BASE, &new.code).unwrap(), Some(new));
            true
        }
        (Insertion::Inserted(_), Insertion::CodeTaken) => false,
        (first, second) => panic!("the code was free, and looked like no other: {first:?}, {second:?}"),
    }
}

#[test]
fn who_gets_a_deleted_code_again() {
    use CodeOrigin::{Custom, Generated};
    for (was, before, wanted, caller, is_given) in [
        (Custom, MINE, Custom, MINE, true),
        (Custom, MINE, Custom, ADMIN, true),
        (Custom, MINE, Custom, OPERATOR, true),
        (Custom, MINE, Custom, OTHER, false),
        (Custom, MINE, Custom, NOBODY, false),
        (Custom, NOBODY, Custom, NOBODY, false),
        (Custom, NOBODY, Custom, MINE, false),
        (Custom, NOBODY, Custom, ADMIN, true),
        (Custom, MINE, Generated, MINE, false),
        (Custom, MINE, Generated, ADMIN, false),
        (Generated, MINE, Custom, MINE, false),
        (Generated, MINE, Custom, ADMIN, false),
        (Generated, MINE, Generated, MINE, false),
        (Generated, MINE, Generated, OPERATOR, false),
        (Generated, NOBODY, Custom, OPERATOR, false),
    ] {
        let found = is_given_again(was, before, wanted, caller);
        assert_eq!(found, is_given, "{was:?} of {before:?}, wanted {wanted:?} by {caller:?}");
    }
}

#[test]
fn nobody_gets_the_code_of_a_live_link() {
    for caller in [MINE, OTHER, NOBODY, ADMIN, OPERATOR] {
        let sql = database();
        insert_as(&sql, "a", CodeOrigin::Custom, MINE);
        assert_eq!(insert_as(&sql, "a", CodeOrigin::Custom, caller), Insertion::CodeTaken, "{caller:?}");
    }
}

#[test]
fn who_may_change_a_link() {
    for (owner, caller, may) in [
        (MINE, MINE, true),
        (MINE, ADMIN, true),
        (MINE, OPERATOR, true),
        (MINE, OTHER, false),
        (MINE, NOBODY, false),
        (NOBODY, NOBODY, false),
        (NOBODY, MINE, false),
        (NOBODY, ADMIN, true),
        (OPERATOR, NOBODY, false),
        (OPERATOR, ADMIN, true),
    ] {
        let sql = database();
        insert_as(&sql, "a", CodeOrigin::Custom, owner);
        let rights = Rights::to_change(caller, DomainId::BASE);
        let found = find_own(&sql, DomainId::BASE, &Code::parse("a").unwrap(), rights).unwrap();
        assert_eq!(found.is_some(), may, "edit: {caller:?} of {owner:?}");
        assert_eq!(delete_as(&sql, "a", caller), may, "delete: {caller:?} of {owner:?}");
    }
}

#[test]
fn a_tombstone_says_nothing_of_the_link() {
    let sql = database();
    insert_as(&sql, "a", CodeOrigin::Custom, MINE);
    assert!(delete_as(&sql, "a", MINE));
    let row = "SELECT count(*) FROM links WHERE code = 'a' AND is_custom AND owner = 1 AND version = 2
        AND deleted_at = ?1 AND target IS NULL AND target_hash IS NULL AND title IS NULL AND skeleton IS NULL";
    assert_eq!(sql.query_row(row, [NOW.as_millis()], |row| row.get::<_, i64>(0)), Ok(1));
}

#[test]
fn a_taken_code_takes_no_version() {
    let sql = database();
    insert_as(&sql, "a", CodeOrigin::Custom, MINE);
    insert_as(&sql, "a", CodeOrigin::Generated, MINE);
    let Insertion::Inserted(next) = insert_as(&sql, "b", CodeOrigin::Generated, MINE) else {
        panic!("the code was free");
    };
    assert_eq!(next.version, Version(2));
}

#[test]
fn another_broken_constraint_is_not_a_taken_code() {
    let sql = database();
    let caller = Caller::Key(KeyId(99), Grant::EVERYTHING);
    let result = within(&sql, |log| insert(&sql, log, NewLink { caller, ..new("a", CodeOrigin::Custom) }));
    assert_eq!(result.unwrap_err().sqlite_error_code(), Some(rusqlite::ErrorCode::ConstraintViolation));
}

#[test]
fn rows_that_make_no_sense_are_refused() {
    let sql = database();
    insert_as(&sql, "a", CodeOrigin::Custom, MINE);
    for change in [
        "target = NULL",
        "target_hash = NULL",
        "deleted_at = 1",
        "target = NULL, target_hash = NULL, deleted_at = 1",
        "redirect_status = 303",
        "forward_query = 2",
        "active = 2",
        "active = NULL",
        "private = 2",
        "private = NULL",
        "is_custom = 2",
        "code = ''",
        "domain = NULL",
        "domain = 7",
        "version = 'one'",
    ] {
        let refused = sql.execute(&format!("UPDATE links SET {change}"), params![]).unwrap_err();
        assert_eq!(refused.sqlite_error_code(), Some(rusqlite::ErrorCode::ConstraintViolation), "{change}");
    }
}

fn plan(sql: &Connection, statement: &str, parameters: &[&dyn rusqlite::ToSql]) -> Vec<String> {
    let mut statement = sql.prepare(&format!("EXPLAIN QUERY PLAN {statement}")).unwrap();
    let plan = statement.query_map(parameters, |row| row.get("detail")).unwrap();
    plan.map(Result::unwrap).collect()
}

#[test]
fn a_lookup_is_one_search_of_the_unique_index() {
    const BY_CODE: &str = "SEARCH links USING INDEX sqlite_autoindex_links_1 (domain=? AND code=?)";
    let sql = database();
    assert_eq!(plan(&sql, LEAD, params![0, "a"]), [BY_CODE]);
    // With one more where aliases are found, too.
    let find = plan(&sql, FIND, params![0, "a", true, None::<i64>]);
    assert!(find.iter().any(|step| step == BY_CODE) && !find.iter().any(|step| step.contains("SCAN")), "{find:?}");
}

#[test]
fn a_lookalike_is_found_by_an_index_that_drawn_codes_are_not_in() {
    let sql = database();
    let detail = |row: &rusqlite::Row<'_>| row.get::<_, String>("detail");
    let mut statement = sql.prepare(&format!("EXPLAIN QUERY PLAN {LOOKALIKE}")).unwrap();
    let plan: Vec<_> = statement.query_map(params![0, "a", "a"], detail).unwrap().map(Result::unwrap).collect();
    assert!(plan.contains(&"SEARCH links USING INDEX links_skeleton (domain=? AND skeleton=?)".to_owned()), "{plan:?}");
    insert_as(&sql, "drawn", CodeOrigin::Generated, MINE);
    insert_as(&sql, "chosen", CodeOrigin::Custom, MINE);
    let count = "SELECT count(*) FROM links INDEXED BY links_skeleton WHERE skeleton IS NOT NULL";
    assert_eq!(sql.query_row(count, [], |row| row.get::<_, i64>(0)), Ok(1));
}
