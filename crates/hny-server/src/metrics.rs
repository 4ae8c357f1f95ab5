//! What is counted, for Prometheus. Labels come from enums only, so that the number of series has a bound.

use std::fmt::{self, Write as _};
use std::sync::Arc;
use std::sync::atomic::AtomicI64;

use hny_clicks::Recorder;
use hny_guard::{Blocklist, SafeBrowsing};
use hny_resolve::Resolver;
use prometheus_client::collector::Collector;
use prometheus_client::encoding::text::encode;
use prometheus_client::encoding::{
    DescriptorEncoder, EncodeLabelSet, EncodeLabelValue, EncodeMetric, LabelValueEncoder,
};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::counter::{ConstCounter, Counter};
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::{ConstGauge, Gauge};
use prometheus_client::registry::Registry;

/// What became of a visit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Outcome {
    /// It was sent on.
    Go,
    /// The link's time was over.
    Gone,
    /// There was no link.
    Absent,
    /// It was asked for the password.
    Asked,
    /// It only looked at a private link, and was told nothing.
    Withheld,
    /// It came with another password.
    WrongPassword,
    /// It was kept from where the link leads.
    Blocked,
    /// It came ahead of time, for a link whose clicks are counted before they are granted.
    TooEarly,
    /// The visitor was warned.
    Flagged,
    /// Nothing was told: the client asks for too many codes that lead nowhere.
    Limited,
    /// The store failed.
    Failed,
}

impl EncodeLabelValue for Outcome {
    fn encode(&self, encoder: &mut LabelValueEncoder<'_>) -> fmt::Result {
        encoder.write_str(match self {
            Self::Go => "go",
            Self::Gone => "gone",
            Self::Absent => "absent",
            Self::Asked => "asked",
            Self::Withheld => "withheld",
            Self::WrongPassword => "wrong-password",
            Self::Blocked => "blocked",
            Self::Flagged => "flagged",
            Self::TooEarly => "too-early",
            Self::Limited => "limited",
            Self::Failed => "failed",
        })
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct VisitLabels {
    outcome: Outcome,
}

/// What is counted. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Metrics {
    registry: Arc<Registry>,
    go: Counter,
    gone: Counter,
    absent: Counter,
    asked: Counter,
    withheld: Counter,
    wrong_password: Counter,
    blocked: Counter,
    flagged: Counter,
    too_early: Counter,
    limited: Counter,
    failed: Counter,
    links_created: Counter,
    creates_refused: Counter,
    connections: Gauge<i64, AtomicI64>,
}

impl Metrics {
    /// Counters at zero; the cache of `resolver`, the clicks of `recorder`, the rules of `blocklist` and the questions of
    /// `provider` at whatever they are when asked.
    pub fn new(resolver: Resolver, recorder: Recorder, blocklist: Blocklist, provider: Option<SafeBrowsing>) -> Self {
        let mut registry = Registry::with_prefix("hny");
        let visits = Family::<VisitLabels, Counter>::default();
        let links_created = Counter::default();
        let creates_refused = Counter::default();
        let connections = Gauge::default();
        registry.register("visits", "Requests for short links, by what became of them", visits.clone());
        registry.register("links_created", "Links made through the API", links_created.clone());
        let help = "Links that were not made because the client had reached its limit";
        registry.register("creates_refused", help, creates_refused.clone());
        registry.register("connections", "Open connections", connections.clone());
        registry.register_collector(Box::new(SharedCollector(resolver.clone())));
        registry.register_collector(Box::new(CacheCollector(resolver)));
        registry.register_collector(Box::new(ClickCollector(recorder)));
        registry.register_collector(Box::new(BlockCollector(blocklist)));
        registry.register_collector(Box::new(ProviderCollector(provider)));
        // Taken out of the family once, so that counting a visit is one addition and no look-up.
        let of = |outcome| visits.get_or_create_owned(&VisitLabels { outcome });
        Self {
            go: of(Outcome::Go),
            gone: of(Outcome::Gone),
            absent: of(Outcome::Absent),
            asked: of(Outcome::Asked),
            withheld: of(Outcome::Withheld),
            wrong_password: of(Outcome::WrongPassword),
            blocked: of(Outcome::Blocked),
            flagged: of(Outcome::Flagged),
            too_early: of(Outcome::TooEarly),
            limited: of(Outcome::Limited),
            failed: of(Outcome::Failed),
            registry: Arc::new(registry),
            links_created,
            creates_refused,
            connections,
        }
    }

    pub(crate) fn visit(&self, outcome: Outcome) {
        match outcome {
            Outcome::Go => &self.go,
            Outcome::Gone => &self.gone,
            Outcome::Absent => &self.absent,
            Outcome::Asked => &self.asked,
            Outcome::Withheld => &self.withheld,
            Outcome::WrongPassword => &self.wrong_password,
            Outcome::Blocked => &self.blocked,
            Outcome::Flagged => &self.flagged,
            Outcome::TooEarly => &self.too_early,
            Outcome::Limited => &self.limited,
            Outcome::Failed => &self.failed,
        }
        .inc();
    }

    pub(crate) fn link_created(&self) {
        self.links_created.inc();
    }

    pub(crate) fn create_refused(&self) {
        self.creates_refused.inc();
    }

    /// Counts a connection for as long as the guard lives.
    pub(crate) fn connection(&self) -> ConnectionGuard {
        self.connections.inc();
        ConnectionGuard(self.connections.clone())
    }

    /// All of it in the `OpenMetrics` text format.
    pub(crate) fn render(&self) -> String {
        let mut text = String::new();
        // Writing into a string cannot fail.
        let _ = encode(&mut text, &self.registry);
        text
    }
}

/// A connection that is counted.
pub(crate) struct ConnectionGuard(Gauge<i64, AtomicI64>);

impl Drop for ConnectionGuard {
    fn drop(&mut self) {
        self.0.dec();
    }
}

/// Reads the cache when Prometheus asks, and not on the redirect's road.
#[derive(Debug)]
struct CacheCollector(Resolver);

impl Collector for CacheCollector {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let cache = self.0.cache_use();
        let gauges = [
            ("cache_entries", "Links and absences in the cache", i64::try_from(cache.entries)),
            ("cache_bytes", "Bytes they take", i64::try_from(cache.bytes)),
        ];
        for (name, help, value) in gauges {
            let gauge = ConstGauge::new(value.unwrap_or(i64::MAX));
            let metric = encoder.encode_descriptor(name, help, None, MetricType::Gauge)?;
            gauge.encode(metric)?;
        }
        Ok(())
    }
}

/// Reads what the second level did when Prometheus asks, if there is one.
#[derive(Debug)]
struct SharedCollector(Resolver);

impl Collector for SharedCollector {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let Some(shared) = self.0.shared_use() else { return Ok(()) };
        let help = "Lookups in the cache that nodes share, by what became of them";
        let mut lookups = encoder.encode_descriptor("shared_cache_lookups", help, None, MetricType::Counter)?;
        for (outcome, count) in shared.lookups {
            ConstCounter::new(count).encode(lookups.encode_family(&[("outcome", outcome)])?)?;
        }
        let help = "Whether Redis is asked: 1, or 0 while it is left out";
        let usable = encoder.encode_descriptor("redis_usable", help, None, MetricType::Gauge)?;
        ConstGauge::new(i64::from(shared.is_usable)).encode(usable)
    }
}

/// Counts what is blocked when Prometheus asks.
#[derive(Debug)]
struct BlockCollector(Blocklist);

impl Collector for BlockCollector {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let usage = self.0.usage();
        let help = "Domains and URLs that links may not lead to, by where the rule is from";
        let mut rules = encoder.encode_descriptor("block_rules", help, None, MetricType::Gauge)?;
        for (source, count) in [("database", usage.database), ("file", usage.files)] {
            let gauge = ConstGauge::new(i64::try_from(count).unwrap_or(i64::MAX));
            gauge.encode(rules.encode_family(&[("source", source)])?)?;
        }
        Ok(())
    }
}

/// Counts the questions to a provider when Prometheus asks, if there is one.
#[derive(Debug)]
struct ProviderCollector(Option<SafeBrowsing>);

impl Collector for ProviderCollector {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let Some(provider) = &self.0 else { return Ok(()) };
        let asked = provider.look_ups();
        let help = "Questions whether a page is harmful, by what became of them";
        let mut look_ups = encoder.encode_descriptor("safe_browsing_lookups", help, None, MetricType::Counter)?;
        for (outcome, count) in [("answered", asked.answered), ("failed", asked.failed), ("dropped", asked.dropped)] {
            ConstCounter::new(count).encode(look_ups.encode_family(&[("outcome", outcome)])?)?;
        }
        let help = "Pages that visits found without a verdict and that wait to be asked about";
        let waiting = encoder.encode_descriptor("safe_browsing_waiting", help, None, MetricType::Gauge)?;
        ConstGauge::new(i64::try_from(asked.waiting).unwrap_or(i64::MAX)).encode(waiting)
    }
}

/// Reads what became of clicks when Prometheus asks, and not on the redirect's road.
#[derive(Debug)]
struct ClickCollector(Recorder);

impl Collector for ClickCollector {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let counts = self.0.counts();
        let help = "Clicks on links, those that were lost among them";
        let recorded = encoder.encode_descriptor("clicks_recorded", help, None, MetricType::Counter)?;
        ConstCounter::new(counts.recorded).encode(recorded)?;
        let help = "Clicks that are not counted, by what went wrong";
        let mut lost = encoder.encode_descriptor("clicks_lost", help, None, MetricType::Counter)?;
        let losses = counts.lost;
        let losses =
            [("buffer_full", losses.buffer_full), ("disk_down", losses.disk_down), ("spool_full", losses.spool_full)];
        for (reason, clicks) in losses {
            ConstCounter::new(clicks).encode(lost.encode_family(&[("reason", reason)])?)?;
        }
        let help = "Places in the spool that could not be read";
        let damaged = encoder.encode_descriptor("spool_damaged", help, None, MetricType::Counter)?;
        ConstCounter::new(counts.damaged).encode(damaged)?;
        let help = "Clicks that wait to be counted";
        let pending = encoder.encode_descriptor("clicks_pending", help, None, MetricType::Gauge)?;
        ConstGauge::new(i64::try_from(counts.pending).unwrap_or(i64::MAX)).encode(pending)?;
        let help = "How long the oldest of them has waited";
        let oldest = encoder.encode_descriptor("clicks_oldest_seconds", help, None, MetricType::Gauge)?;
        ConstGauge::new(counts.oldest.as_secs_f64()).encode(oldest)
    }
}
