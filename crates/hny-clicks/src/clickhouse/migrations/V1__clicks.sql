-- Which database the links are in.
CREATE TABLE IF NOT EXISTS origin (
    database UInt64
) ENGINE = MergeTree
ORDER BY database;

-- Every click. A retried block is known by its token as long as no more than this many blocks came between.
CREATE TABLE IF NOT EXISTS clicks (
    id       UInt64,
    link     Int64,
    -- Who made the link; 0 is nobody.
    owner    Int64,
    at       DateTime64(3, 'UTC'),
    kind     Enum8('person' = 0, 'robot' = 1, 'prefetch' = 2, 'probe' = 3),
    visitor  Nullable(UInt64),
    country  LowCardinality(Nullable(String)),
    referrer LowCardinality(Nullable(String)),
    browser  LowCardinality(Nullable(String)),
    os       LowCardinality(Nullable(String)),
    device   LowCardinality(Nullable(String)),
    language LowCardinality(Nullable(String)),
    INDEX by_owner owner TYPE bloom_filter
) ENGINE = MergeTree
PARTITION BY toYYYYMM(at)
ORDER BY (link, at, id)
SETTINGS non_replicated_deduplication_window = 100000;

-- Visits of a link by kind in each quarter of an hour.
CREATE TABLE IF NOT EXISTS click_quarters (
    link       Int64,
    owner      Int64,
    quarter    DateTime('UTC'),
    clicks     UInt64,
    robots     UInt64,
    prefetches UInt64,
    probes     UInt64,
    INDEX by_owner owner TYPE bloom_filter
) ENGINE = SummingMergeTree((clicks, robots, prefetches, probes))
PARTITION BY toYYYYMM(quarter)
ORDER BY (link, quarter, owner)
SETTINGS non_replicated_deduplication_window = 100000;

-- The first click of each visitor of a link on each UTC day.
CREATE TABLE IF NOT EXISTS click_visitors (
    link    Int64,
    owner   Int64,
    day     Date,
    visitor UInt64,
    first   SimpleAggregateFunction(min, Tuple(DateTime64(3, 'UTC'), UInt64)),
    INDEX by_owner owner TYPE bloom_filter
) ENGINE = AggregatingMergeTree
PARTITION BY toYYYYMM(day)
ORDER BY (link, day, visitor, owner)
SETTINGS non_replicated_deduplication_window = 100000;

CREATE MATERIALIZED VIEW IF NOT EXISTS click_quarters_view TO click_quarters AS
SELECT
    link,
    owner,
    toDateTime(intDiv(toUnixTimestamp64Milli(at), 900000) * 900, 'UTC') AS quarter,
    countIf(kind = 'person') AS clicks,
    countIf(kind = 'robot') AS robots,
    countIf(kind = 'prefetch') AS prefetches,
    countIf(kind = 'probe') AS probes
FROM clicks
GROUP BY link, owner, quarter;

CREATE MATERIALIZED VIEW IF NOT EXISTS click_visitors_view TO click_visitors AS
SELECT link, owner, toDate(at) AS day, assumeNotNull(visitor) AS visitor, min((at, id)) AS first
FROM clicks
WHERE kind = 'person' AND clicks.visitor IS NOT NULL
GROUP BY link, owner, day, visitor;
