//! How many of a node's redirects its cache answers, where few of many links are asked for often: `hits MIB…` puts the cache itself,
//! with so many MiB, before a stream of visits whose links follow Zipf's law. No database, no clock; one line for each cache.

#![expect(
    clippy::print_stdout,
    clippy::expect_used,
    reason = "a bench that cannot be set up should end, and figures are its data"
)]

use std::convert::Infallible;
use std::future::ready;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use hny_domain::{Code, DomainId, Lead, LinkId, Rules, Version};
use hny_resolve::{Found, Key, LinkCache};
use rand::SeedableRng;
use rand::distr::Distribution;
use rand::rngs::SmallRng;
use rand_distr::Zipf;

/// As many links there are.
const LINKS: f64 = 1.8e9;

/// How steeply what is asked for often stands out: the link of rank `n` is asked for in proportion to `n` to minus this power.
const EXPONENTS: [f64; 3] = [0.9, 1.0, 1.1];

/// About as long as the URLs that people shorten.
const TARGET: &str =
    "https://www.example.com/articles/2026/11/keeping-bees-in-the-city?campaign=newsletter-autumn&source=mail";

/// So many visits are made at most until a cache is full: larger caches are measured as full as they are then.
const MOST_VISITS: usize = 60_000_000;

/// So many visits are counted.
const COUNTED: usize = 4_000_000;

fn main() {
    // Cargo adds a word of its own.
    let sizes: Vec<u64> = std::env::args().filter_map(|word| word.parse().ok()).collect();
    for exponent in EXPONENTS {
        for mib in &sizes {
            let (entries, rate) = simulate(*mib << 20, exponent);
            println!("zipf {exponent} cache {mib} entries {entries} hits {rate:.4}");
        }
    }
}

/// The links that a cache of so many bytes comes to hold, and the share of visits that it answers then.
///
/// It begins empty. When it becomes full, it has what was asked for last, as it would have after a year.
fn simulate(bytes: u64, exponent: f64) -> (usize, f64) {
    let cache = LinkCache::new(bytes);
    let ranks = Zipf::new(LINKS, exponent).expect("these are a number of links and a power");
    let mut chance = SmallRng::seed_from_u64(7);
    let mut visit = || ask(&cache, ranks.sample(&mut chance));
    let (mut visits, mut entries) = (0, 0);
    while visits < MOST_VISITS {
        let before = entries;
        visits += (0..COUNTED / 4).map(|_| visit()).count();
        entries = cache.entries();
        if entries < before + before / 1000 {
            break;
        }
    }
    let hits = (0..COUNTED).filter(|_| visit()).count();
    (cache.entries(), share(hits, COUNTED))
}

#[expect(clippy::cast_precision_loss, reason = "there are not so many that it would show")]
fn share(part: usize, all: usize) -> f64 {
    part as f64 / all as f64
}

/// A visit of a link; whether the cache had it. If it had not, it has it now.
fn ask(cache: &LinkCache, rank: f64) -> bool {
    let code = Code::parse(&format!("{rank:07.0}")).expect("digits are a code");
    if cache.get(DomainId::BASE, code.as_str()).is_some() {
        return true;
    }
    let key = Key::new(DomainId::BASE, &code);
    let lead = Lead { link: LinkId(1), target: TARGET, expired_url: None, rules: Rules::PLAIN, version: Version(1) };
    let found = ready(Ok::<_, Infallible>(Found::link(key.clone(), lead)));
    let filled = pin!(cache.get_or_fill(&key, found)).poll(&mut Context::from_waker(Waker::noop()));
    assert!(matches!(filled, Poll::Ready(Ok(_))), "nobody else fills it");
    false
}
