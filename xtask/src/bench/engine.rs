//! What is asked of ClickHouse itself. Its statements are in files, where each has a name above it.

use super::BenchError;
use crate::command::root;
use hny_testkit::ClickHouse;

/// How many clicks are made, and how many of them at once.
const CLICKS: usize = 10_000_000;
const PART: usize = 500_000;

/// A statement with its name.
pub(super) struct Statement {
    pub(super) name: String,
    pub(super) sql: String,
}

/// The counts by filters.
pub(super) fn counts() -> Result<Vec<Statement>, BenchError> {
    statements("counts.sql")
}

/// Makes ten million clicks of the only one that is there.
pub(super) fn fill(clickhouse: &ClickHouse) -> Result<(), BenchError> {
    let sql = text("raw.sql")?;
    (0..CLICKS).step_by(PART).try_for_each(|first| {
        let sql = sql.replace("@FIRST@", &first.to_string()).replace("@COUNT@", &PART.to_string());
        run(clickhouse, &sql).map(drop)
    })
}

/// How many clicks are there, once the tables are.
pub(super) fn clicks(clickhouse: &ClickHouse) -> Result<u64, BenchError> {
    sizes(clickhouse).map(|[clicks, ..]| clicks)
}

/// Bytes of the table of clicks, and of all tables, when the engine has merged what it has.
pub(super) fn bytes(clickhouse: &ClickHouse) -> Result<[u64; 2], BenchError> {
    statements("merge.sql")?.iter().try_for_each(|merge| run(clickhouse, &merge.sql).map(drop))?;
    sizes(clickhouse).map(|[_, raw, all]| [raw, all])
}

fn sizes(clickhouse: &ClickHouse) -> Result<[u64; 3], BenchError> {
    let mut sizes = [0; 3];
    for (size, Statement { sql, .. }) in sizes.iter_mut().zip(statements("sizes.sql")?) {
        let said = run(clickhouse, &sql)?;
        *size = said.parse().map_err(|_| BenchError::Database(format!("{sql} was answered with {said:?}")))?;
    }
    Ok(sizes)
}

/// What the engine answers.
pub(super) fn run(clickhouse: &ClickHouse, sql: &str) -> Result<String, BenchError> {
    clickhouse.try_query(sql).map_err(BenchError::Database)
}

fn statements(name: &str) -> Result<Vec<Statement>, BenchError> {
    Ok(named(&text(name)?))
}

fn named(text: &str) -> Vec<Statement> {
    let named = |part: &str| {
        let (name, sql) = part.trim().strip_prefix("-- ")?.split_once('\n')?;
        Some(Statement { name: name.to_owned(), sql: sql.to_owned() })
    };
    text.split(';').filter_map(named).collect()
}

fn text(name: &str) -> Result<String, BenchError> {
    let file = root().join("crates/hny-clicks/benches").join(name);
    std::fs::read_to_string(&file).map_err(|source| BenchError::Folder { folder: file.display().to_string(), source })
}

#[test]
fn every_statement_has_a_name() {
    let statements = named("-- one\nCOUNT a;\n\n-- two\nCOUNT\n  b;\n");
    let read: Vec<_> = statements.iter().map(|Statement { name, sql }| (name.as_str(), sql.as_str())).collect();
    assert_eq!(read, [("one", "COUNT a"), ("two", "COUNT\n  b")]);
    assert_eq!(counts().map(|counts| counts.len()).ok(), Some(8));
}
