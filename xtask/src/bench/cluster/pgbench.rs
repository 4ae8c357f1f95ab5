//! pgbench: what PostgreSQL does for a client that does nothing else.

use crate::bench::BenchError;
use crate::bench::site::{Site, sql_file};
use crate::command::output;
use hny_testkit::Postgres;

/// As many ask at once as visitors ask hny.
const CLIENTS: &str = "64";

/// How many transactions of a script a second PostgreSQL does, in a database with so many links.
pub(super) fn per_second(
    site: &Site<'_>,
    database: &str,
    script: &str,
    links: u64,
    seconds: u64,
) -> Result<f64, BenchError> {
    let mut pgbench = Postgres::pgbench();
    pgbench.args(["--no-vacuum", "--protocol=prepared", "--client", CLIENTS, "--jobs=2"]);
    pgbench.arg(format!("--time={seconds}")).arg(format!("--define=links={links}"));
    pgbench.arg("--file").arg(sql_file(script)).arg(site.postgres.url(database));
    let said = site.processors.on_all(|| output(&mut pgbench))??;
    read(&said).ok_or(BenchError::Pgbench(said))
}

/// The rate, if everything went well.
fn read(said: &str) -> Option<f64> {
    let after = |words: &str| said.lines().find_map(|line| line.strip_prefix(words));
    let failed = after("number of failed transactions: ")?;
    let rate = after("tps = ")?.split(' ').next()?.parse().ok()?;
    failed.starts_with("0 ").then_some(rate)
}

#[test]
fn the_rate_is_read_if_nothing_failed() {
    let said = |failed: &str| {
        format!(
            "pgbench (15.18)\nnumber of failed transactions: {failed} (0.000%)\nlatency average = 1.3 ms\n\
             tps = 48123.5 (without initial connection time)\n"
        )
    };
    assert_eq!(read(&said("0")), Some(48123.5));
    assert_eq!(read(&said("3")), None);
    assert_eq!(read("pgbench: error: connection failed"), None);
}
