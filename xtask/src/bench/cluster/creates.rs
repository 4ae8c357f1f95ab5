//! Creates a second with PostgreSQL, beside single inserts of the same rows.

use super::comparison::{Comparison, Goal};
use super::node::Node;
use super::{Options, pgbench};
use crate::bench::site::Site;
use crate::bench::{BenchError, create};
use bench_visitors::{Draw, Traffic};

pub(super) fn measure(options: &Options, site: &Site<'_>) -> Result<Vec<Comparison>, BenchError> {
    let database = site.seed(options.links)?;
    // What pgbench inserts has no versions from the sequence; nodes would not know what to make of it.
    let twin = site.postgres.copy(&database);
    let program = site.program(&database);
    let key = create::key(&program)?;
    let node = Node::on_all(&program, &site.processors)?.with_key(key);
    let mut traffic = Traffic::new(Draw::One, 100);
    let goal = Some(Goal::AtLeast(1.2));
    let mut comparison = Comparison::new("creates: links made a second, 64 at once", "pgbench insert", goal);
    options.each_round("creates", || {
        let ours = site.processors.on_all(|| node.measure(64, &mut traffic, options.time(), &[]))??;
        let theirs = pgbench::per_second(site, &twin, "insert.sql", options.links, options.seconds)?;
        comparison.round(ours.per_second, theirs);
        Ok(())
    })?;
    Ok(vec![comparison])
}
