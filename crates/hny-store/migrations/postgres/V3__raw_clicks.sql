-- The same tables as in migrations/sqlite/V7__raw_clicks.sql; what each is for is said there.
--
-- What is different: counts have a lane, and each node writes to one of its own, so that nodes that count the clicks of one link do
-- not wait for each other. A count is the sum of all lanes.

-- No NULL but in rows without a visitor, and the wide columns first: a row is as short as it can be.
CREATE TABLE clicks (
    link     bigint   NOT NULL,
    at       bigint   NOT NULL,
    id       bigint   NOT NULL,
    visitor  bigint,
    kind     smallint NOT NULL CHECK (kind BETWEEN 0 AND 3),
    is_first boolean  NOT NULL,
    country  text     COLLATE "C" NOT NULL,
    referrer text     COLLATE "C" NOT NULL,
    browser  text     COLLATE "C" NOT NULL,
    os       text     COLLATE "C" NOT NULL,
    device   text     COLLATE "C" NOT NULL,
    language text     COLLATE "C" NOT NULL,
    PRIMARY KEY (link, at, id)
);
CREATE UNIQUE INDEX clicks_first ON clicks (link, (at / 86400000), visitor) WHERE is_first;

CREATE TABLE click_quarters (
    link       bigint   NOT NULL,
    quarter    integer  NOT NULL,
    lane       smallint NOT NULL,
    clicks     integer  NOT NULL,
    uniques    integer  NOT NULL,
    robots     integer  NOT NULL,
    prefetches integer  NOT NULL,
    probes     integer  NOT NULL,
    PRIMARY KEY (link, quarter, lane)
) WITH (fillfactor = 80);

CREATE TABLE click_days (
    link      bigint   NOT NULL,
    day       integer  NOT NULL,
    dimension smallint NOT NULL CHECK (dimension BETWEEN 0 AND 5),
    lane      smallint NOT NULL,
    clicks    integer  NOT NULL,
    uniques   integer  NOT NULL,
    value     text     COLLATE "C" NOT NULL,
    PRIMARY KEY (link, dimension, day, value, lane)
) WITH (fillfactor = 80);

-- The clicks of a link by lane. What an older version of the program counted is in click_counts, and is added.
CREATE TABLE click_lanes (
    link   bigint   NOT NULL,
    clicks bigint   NOT NULL,
    lane   smallint NOT NULL,
    PRIMARY KEY (link, lane)
) WITH (fillfactor = 80);

CREATE TABLE clicks_to_remove (
    link  bigint PRIMARY KEY,
    -- Transactions from this number on know that the link is deleted. When all before it are over, no more clicks can come.
    until xid8
);

-- What is in other tables is removed later: whoever deletes a link does not wait for those who count its clicks.
CREATE OR REPLACE FUNCTION remove_click_count() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM click_counts WHERE link = old.id;
    INSERT INTO clicks_to_remove (link) VALUES (old.id) ON CONFLICT (link) DO NOTHING;
    RETURN NULL;
END $$;

CREATE TABLE visitor_keys (
    day integer PRIMARY KEY,
    key bytea   NOT NULL CHECK (octet_length(key) = 32)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1);

CREATE INDEX links_expiry ON links (expires_at) WHERE deleted_at IS NULL AND expires_at IS NOT NULL;
