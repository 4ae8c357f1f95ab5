-- What was answered to requests that came with a key of the caller's, so that whoever sends one again gets the same answer. A row is
-- written by the transaction that does what was asked for. Rows go after a day; the oldest have the lowest numbers.
CREATE TABLE receipts (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    -- A hash of the caller and its key, with the secret below: neither can be read from it.
    request     BLOB    NOT NULL UNIQUE CHECK (length(request) = 32),
    -- A hash of method, path and body, with the key and the secret.
    fingerprint BLOB    NOT NULL CHECK (length(fingerprint) = 32),
    status      INTEGER NOT NULL,
    location    TEXT,
    -- Of the link that was made.
    version     INTEGER,
    body        TEXT    NOT NULL,
    created_at  INTEGER NOT NULL
) STRICT;

-- What the hashes above are made with. One row.
CREATE TABLE receipt_secret (
    id     INTEGER PRIMARY KEY CHECK (id = 0),
    secret BLOB    NOT NULL CHECK (length(secret) = 32)
) STRICT;
INSERT INTO receipt_secret (id, secret) VALUES (0, randomblob(32));
