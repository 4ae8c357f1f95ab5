//! Cold redirects a second with PostgreSQL, beside the select that each of them makes.

use super::comparison::{Comparison, Goal};
use super::node::Node;
use super::{Options, pgbench};
use crate::bench::BenchError;
use crate::bench::server::BARE;
use crate::bench::site::Site;
use bench_visitors::{Draw, Traffic};

pub(super) fn measure(options: &Options, site: &Site<'_>) -> Result<Vec<Comparison>, BenchError> {
    let database = site.seed(options.links)?;
    let node = Node::on_all(&site.program(&database).env("HNY_CACHE_BYTES", BARE), &site.processors)?;
    let mut traffic = Traffic::new(Draw::Any(options.links), 0).of_digits();
    let goal = Some(Goal::AtLeast(1.0));
    let mut comparison = Comparison::new("lookups: cold redirects a second, 64 at once", "pgbench select", goal);
    options.each_round("lookups", || {
        let ours = site.processors.on_all(|| node.measure(64, &mut traffic, options.time(), &[]))??;
        let theirs = pgbench::per_second(site, &database, "lookup.sql", options.links, options.seconds)?;
        comparison.round(ours.per_second, theirs);
        Ok(())
    })?;
    Ok(vec![comparison])
}
