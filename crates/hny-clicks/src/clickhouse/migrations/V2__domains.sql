-- The domain of each link, which never changes. Links had one domain before, which is number 0.
ALTER TABLE clicks ADD COLUMN IF NOT EXISTS domain UInt32 DEFAULT 0 AFTER owner;

ALTER TABLE click_quarters ADD COLUMN IF NOT EXISTS domain UInt32 DEFAULT 0 AFTER owner;

ALTER TABLE click_visitors ADD COLUMN IF NOT EXISTS domain UInt32 DEFAULT 0 AFTER owner;

ALTER TABLE click_quarters_view MODIFY QUERY
SELECT
    link,
    owner,
    domain,
    toDateTime(intDiv(toUnixTimestamp64Milli(at), 900000) * 900, 'UTC') AS quarter,
    countIf(kind = 'person') AS clicks,
    countIf(kind = 'robot') AS robots,
    countIf(kind = 'prefetch') AS prefetches,
    countIf(kind = 'probe') AS probes
FROM clicks
GROUP BY link, owner, domain, quarter;

ALTER TABLE click_visitors_view MODIFY QUERY
SELECT link, owner, domain, toDate(at) AS day, assumeNotNull(visitor) AS visitor, min((at, id)) AS first
FROM clicks
WHERE kind = 'person' AND clicks.visitor IS NOT NULL
GROUP BY link, owner, domain, day, visitor;
