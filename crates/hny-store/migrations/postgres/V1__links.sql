-- The same tables as in migrations/sqlite/; what each is for is said there. All times are milliseconds since 1970-01-01T00:00:00Z.

-- API keys. A key is never removed, only revoked: links name it as their owner.
CREATE TABLE keys (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name        text   NOT NULL,
    role        text   NOT NULL,
    secret_hash bytea  NOT NULL CHECK (octet_length(secret_hash) = 32),
    created_at  bigint NOT NULL,
    revoked_at  bigint
);

-- The domains that links live on. Number 0 is the domain of the base URL, whatever that is called today.
CREATE TABLE domains (
    id   integer PRIMARY KEY,
    host text    NOT NULL UNIQUE
);
INSERT INTO domains (id, host) VALUES (0, '');

-- The last version that was given to a change of a link. One row. Whoever changes links updates it first and so holds its lock to
-- the end: changes become visible in the order of their versions, here and on every replica.
CREATE TABLE sequence (
    id      integer PRIMARY KEY CHECK (id = 0),
    version bigint  NOT NULL
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
INSERT INTO sequence (id, version) VALUES (0, 0);

-- Live links, and the tombstones of deleted ones.
CREATE TABLE links (
    id              bigint   PRIMARY KEY,
    domain          integer  NOT NULL REFERENCES domains (id),
    -- "C": codes are told apart byte by byte.
    code            text     COLLATE "C" NOT NULL CHECK (octet_length(code) BETWEEN 1 AND 64),
    -- False: drawn by us and never given again. True: chosen.
    is_custom       boolean  NOT NULL,
    -- NULL belongs to the admins.
    owner           bigint   REFERENCES keys (id),
    target          text,
    -- The first 8 bytes of the target's SHA-256, to find an owner's link to the same target.
    target_hash     bigint,
    title           text,
    created_at      bigint   NOT NULL,
    updated_at      bigint   NOT NULL,
    valid_from      bigint,
    expires_at      bigint,
    -- NULL in these two follows the setting.
    redirect_status smallint CHECK (redirect_status IN (301, 302, 307, 308)),
    forward_query   boolean,
    active          boolean  NOT NULL,
    -- Whether the code was made so long that nobody guesses it.
    private         boolean  NOT NULL DEFAULT false,
    version         bigint   NOT NULL,
    -- Not NULL makes it a tombstone: what the link said is gone.
    deleted_at      bigint,
    -- What a chosen code looks like in print. NULL in tombstones and for generated codes, so that these cost nothing.
    skeleton        text     COLLATE "C",
    UNIQUE (domain, code),
    CHECK ((target IS NULL) = (deleted_at IS NOT NULL)),
    CHECK ((target_hash IS NULL) = (deleted_at IS NOT NULL)),
    CHECK (title IS NULL OR deleted_at IS NULL)
);
CREATE UNIQUE INDEX links_version ON links (version);
-- Only an owner can ask for a link of its own, so the links of nobody cost nothing here.
CREATE INDEX links_owner_target ON links (owner, target_hash)
    WHERE deleted_at IS NULL AND owner IS NOT NULL;
CREATE INDEX links_skeleton ON links (domain, skeleton) WHERE skeleton IS NOT NULL;

-- The next number that nobody has leased. One row.
CREATE TABLE counter (
    id   integer PRIMARY KEY CHECK (id = 0),
    next bigint  NOT NULL
);
INSERT INTO counter (id, next) VALUES (0, 0);

-- Who makes ids as which node. A row stays when its lease is over: its mark says which ids may exist.
CREATE TABLE nodes (
    datacenter smallint NOT NULL CHECK (datacenter BETWEEN 0 AND 31),
    worker     smallint NOT NULL CHECK (worker BETWEEN 0 AND 31),
    -- A token of the process that has the lease.
    holder     text     NOT NULL,
    -- The lease holds until then, and no id was made for later.
    until_ms   bigint   NOT NULL,
    PRIMARY KEY (datacenter, worker)
);

-- Which secret the codes of a length are made with, by its fingerprint. The highest epoch is the one in use.
CREATE TABLE code_keys (
    length      smallint NOT NULL CHECK (length BETWEEN 4 AND 32),
    epoch       bigint   NOT NULL,
    fingerprint text     NOT NULL,
    adopted_at  bigint   NOT NULL,
    PRIMARY KEY (length, epoch)
);

-- How often each link was followed. A link that never was has no row. Room in each page lets a count be raised in place.
CREATE TABLE click_counts (
    link   bigint PRIMARY KEY,
    clicks bigint NOT NULL CHECK (clicks > 0)
) WITH (fillfactor = 80);

-- A link that is deleted takes its count with it, also when an older version of the program deletes it.
CREATE FUNCTION remove_click_count() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM click_counts WHERE link = old.id;
    RETURN NULL;
END $$;
CREATE TRIGGER links_deleted AFTER UPDATE OF deleted_at ON links
    FOR EACH ROW WHEN (new.deleted_at IS NOT NULL) EXECUTE FUNCTION remove_click_count();

-- The generation of the keys in a shared cache, and the run of the cache server that it belongs to. One row.
CREATE TABLE cache_generation (
    id         integer PRIMARY KEY CHECK (id = 0),
    generation bigint  NOT NULL,
    run_id     text
);
INSERT INTO cache_generation (id, generation) VALUES (0, 0);
