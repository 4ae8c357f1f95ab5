-- The same tables as in migrations/sqlite/V9__receipts.sql; what each is for is said there.

CREATE TABLE receipts (
    id          bigint   GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    request     bytea    NOT NULL UNIQUE CHECK (octet_length(request) = 32),
    fingerprint bytea    NOT NULL CHECK (octet_length(fingerprint) = 32),
    version     bigint,
    created_at  bigint   NOT NULL,
    status      smallint NOT NULL,
    location    text,
    body        text     NOT NULL
);

CREATE TABLE receipt_secret (
    id     integer PRIMARY KEY CHECK (id = 0),
    secret bytea   NOT NULL CHECK (octet_length(secret) = 32)
);
-- Two random UUIDs have 244 random bits.
INSERT INTO receipt_secret (id, secret) VALUES (0, uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));
