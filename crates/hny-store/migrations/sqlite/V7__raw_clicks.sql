-- Visits of all kinds, each as it came. Those of a link lie together, in the order of their time.
CREATE TABLE clicks (
    link     INTEGER NOT NULL,
    -- Milliseconds since 1970-01-01T00:00:00Z.
    at       INTEGER NOT NULL,
    -- An unsigned number with its highest bit turned over, so that the order is the same.
    id       INTEGER NOT NULL,
    -- 0 person, 1 robot, 2 prefetch, 3 probe. Persons' are counted as clicks.
    kind     INTEGER NOT NULL CHECK (kind BETWEEN 0 AND 3),
    -- 1: the first click of this visitor on this link and UTC day, by (at, id).
    is_first INTEGER NOT NULL CHECK (is_first IN (0, 1)),
    visitor  INTEGER,
    -- '' in these is unknown, or not kept.
    country  TEXT    NOT NULL,
    referrer TEXT    NOT NULL,
    browser  TEXT    NOT NULL,
    os       TEXT    NOT NULL,
    device   TEXT    NOT NULL,
    language TEXT    NOT NULL,
    PRIMARY KEY (link, at, id)
) STRICT, WITHOUT ROWID;
-- One first click for each visitor, link and day.
CREATE UNIQUE INDEX clicks_first ON clicks (link, at / 86400000, visitor) WHERE is_first;

-- Counts of visits by quarter of an hour (the number of the quarter since 1970), so that days are exact in every time zone.
CREATE TABLE click_quarters (
    link       INTEGER NOT NULL,
    quarter    INTEGER NOT NULL,
    clicks     INTEGER NOT NULL,
    -- How many of the clicks are first ones.
    uniques    INTEGER NOT NULL,
    robots     INTEGER NOT NULL,
    prefetches INTEGER NOT NULL,
    probes     INTEGER NOT NULL,
    PRIMARY KEY (link, quarter)
) STRICT, WITHOUT ROWID;

-- Counts of clicks by what they say: for each UTC day (its number since 1970) and dimension (0 country, 1 referrer, 2 browser,
-- 3 os, 4 device, 5 language).
CREATE TABLE click_days (
    link      INTEGER NOT NULL,
    dimension INTEGER NOT NULL CHECK (dimension BETWEEN 0 AND 5),
    day       INTEGER NOT NULL,
    value     TEXT    NOT NULL,
    clicks    INTEGER NOT NULL,
    uniques   INTEGER NOT NULL,
    PRIMARY KEY (link, dimension, day, value)
) STRICT, WITHOUT ROWID;

-- Deleted links whose clicks are still there. They are removed in small steps, as there may be many.
CREATE TABLE clicks_to_remove (
    link INTEGER PRIMARY KEY
) STRICT;
CREATE TRIGGER links_deleted_clicks AFTER UPDATE OF deleted_at ON links WHEN new.deleted_at IS NOT NULL BEGIN
    INSERT OR IGNORE INTO clicks_to_remove (link) VALUES (old.id);
END;

-- The secret of each UTC day that visitor ids are made with.
CREATE TABLE visitor_keys (
    day INTEGER PRIMARY KEY,
    key BLOB    NOT NULL CHECK (length(key) = 32)
) STRICT;

-- To find links that have expired. Links that never do cost nothing here.
CREATE INDEX links_expiry ON links (expires_at) WHERE deleted_at IS NULL AND expires_at IS NOT NULL;
