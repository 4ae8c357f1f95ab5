-- API keys. A key is never removed, only revoked: links name it as their owner.
CREATE TABLE keys (
    -- AUTOINCREMENT: a number is never given twice.
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    name        TEXT    NOT NULL,
    role        TEXT    NOT NULL,
    secret_hash BLOB    NOT NULL CHECK (length(secret_hash) = 32),
    -- All times are milliseconds since 1970-01-01T00:00:00Z.
    created_at  INTEGER NOT NULL,
    revoked_at  INTEGER
) STRICT;
