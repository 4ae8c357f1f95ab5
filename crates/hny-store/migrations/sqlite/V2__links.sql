-- The domains that links live on. Number 0 is the domain of the base URL, whatever that is called today.
CREATE TABLE domains (
    id   INTEGER PRIMARY KEY,
    host TEXT    NOT NULL UNIQUE
) STRICT;
INSERT INTO domains (id, host) VALUES (0, '');

-- The last version that was given to a change of a link. One row.
CREATE TABLE sequence (
    id      INTEGER PRIMARY KEY CHECK (id = 0),
    version INTEGER NOT NULL
) STRICT;
INSERT INTO sequence (id, version) VALUES (0, 0);

-- Live links, and the tombstones of deleted ones.
CREATE TABLE links (
    id              INTEGER PRIMARY KEY,
    domain          INTEGER NOT NULL REFERENCES domains (id),
    -- BINARY: codes are told apart byte by byte.
    code            TEXT    NOT NULL COLLATE BINARY CHECK (length(code) BETWEEN 1 AND 64),
    -- 0: drawn by us and never given again. 1: chosen.
    is_custom       INTEGER NOT NULL CHECK (is_custom IN (0, 1)),
    -- NULL belongs to the admins.
    owner           INTEGER REFERENCES keys (id),
    target          TEXT,
    -- The first 8 bytes of the target's SHA-256, to find an owner's link to the same target.
    target_hash     INTEGER,
    title           TEXT,
    created_at      INTEGER NOT NULL,
    updated_at      INTEGER NOT NULL,
    valid_from      INTEGER,
    expires_at      INTEGER,
    -- NULL in these two follows the setting.
    redirect_status INTEGER CHECK (redirect_status IN (301, 302, 307, 308)),
    forward_query   INTEGER CHECK (forward_query IN (0, 1)),
    active          INTEGER NOT NULL CHECK (active IN (0, 1)),
    version         INTEGER NOT NULL,
    -- Not NULL makes it a tombstone: what the link said is gone.
    deleted_at      INTEGER,
    UNIQUE (domain, code),
    CHECK ((target IS NULL) = (deleted_at IS NOT NULL)),
    CHECK ((target_hash IS NULL) = (deleted_at IS NOT NULL)),
    CHECK (title IS NULL OR deleted_at IS NULL)
) STRICT;
CREATE UNIQUE INDEX links_version ON links (version);
-- Only an owner can ask for a link of its own, so the links of nobody cost nothing here.
CREATE INDEX links_owner_target ON links (owner, target_hash)
    WHERE deleted_at IS NULL AND owner IS NOT NULL;
