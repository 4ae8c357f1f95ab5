-- Whether the code was made so long that nobody guesses it.
ALTER TABLE links ADD COLUMN private INTEGER NOT NULL DEFAULT 0 CHECK (private IN (0, 1));

-- What a chosen code looks like in print. NULL in tombstones and for generated codes, so that these cost nothing.
ALTER TABLE links ADD COLUMN skeleton TEXT;
UPDATE links SET skeleton = replace(replace(replace(code, 'O', '0'), 'l', '1'), 'I', '1')
    WHERE is_custom AND deleted_at IS NULL;
CREATE INDEX links_skeleton ON links (domain, skeleton) WHERE skeleton IS NOT NULL;

-- The next number that nobody has leased. One row.
CREATE TABLE counter (
    id   INTEGER PRIMARY KEY CHECK (id = 0),
    next INTEGER NOT NULL
) STRICT;
INSERT INTO counter (id, next) VALUES (0, 0);

-- Who makes ids as which node. A row stays when its lease is over: its mark says which ids may exist.
CREATE TABLE nodes (
    datacenter INTEGER NOT NULL CHECK (datacenter BETWEEN 0 AND 31),
    worker     INTEGER NOT NULL CHECK (worker BETWEEN 0 AND 31),
    -- A token of the process that has the lease.
    holder     TEXT    NOT NULL,
    -- Milliseconds since 1970-01-01T00:00:00Z: the lease holds until then, and no id was made for later.
    until_ms   INTEGER NOT NULL,
    PRIMARY KEY (datacenter, worker)
) STRICT, WITHOUT ROWID;

-- Which secret the codes of a length are made with, by its fingerprint. The highest epoch is the one in use.
CREATE TABLE code_keys (
    length      INTEGER NOT NULL CHECK (length BETWEEN 4 AND 32),
    epoch       INTEGER NOT NULL,
    fingerprint TEXT    NOT NULL,
    adopted_at  INTEGER NOT NULL,
    PRIMARY KEY (length, epoch)
) STRICT, WITHOUT ROWID;
