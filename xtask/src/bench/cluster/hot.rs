//! What a redirect from the cache costs a node on PostgreSQL, beside one on SQLite.

use super::Options;
use super::comparison::{Comparison, Goal};
use super::node::Node;
use crate::bench::site::Site;
use crate::bench::{BenchError, seeded};
use bench_visitors::{Draw, Traffic};
use hny_testkit::Program;

/// So many links are asked for: all are in the cache.
const LINKS: u64 = 100_000;

pub(super) fn measure(options: &Options, site: &Site<'_>) -> Result<Vec<Comparison>, BenchError> {
    let postgres = Node::alone(site.program(&site.seed(LINKS)?), &site.processors)?;
    let sqlite = Program::new(&site.built.hny).env("HNY_LOG", "warn");
    seeded::copy(site.built, LINKS, sqlite.folder())?;
    let sqlite = Node::alone(sqlite, &site.processors)?;
    let traffic = |draw| Traffic::new(draw, 0);
    postgres.warm_up(&mut traffic(Draw::Each(0..LINKS)).of_digits())?;
    sqlite.warm_up(&mut traffic(Draw::Each(0..LINKS)))?;
    let (mut of_digits, mut of_codes) = (traffic(Draw::Any(LINKS)).of_digits(), traffic(Draw::Any(LINKS)));
    let goal = Some(Goal::AtMost(1.05));
    let mut comparison = Comparison::new("hot: µs of the node for a redirect", "hny on SQLite", goal);
    options.each_round("hot", || {
        let ours = postgres.measure(64, &mut of_digits, options.time(), &[])?;
        let theirs = sqlite.measure(64, &mut of_codes, options.time(), &[])?;
        comparison.round(ours.own, theirs.own);
        Ok(())
    })?;
    Ok(vec![comparison])
}
