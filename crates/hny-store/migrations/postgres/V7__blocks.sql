-- The same tables as in migrations/sqlite/; what each is for is said there.

-- "C": rules are compared byte by byte.
CREATE TABLE blocks (
    rule     text   COLLATE "C" PRIMARY KEY CHECK (octet_length(rule) BETWEEN 1 AND 2048),
    added_at bigint NOT NULL,
    added_by bigint REFERENCES keys (id)
);

CREATE TABLE block_changes (
    version     bigint  PRIMARY KEY,
    rule        text    NOT NULL,
    is_addition boolean NOT NULL,
    at          bigint  NOT NULL,
    by          bigint  REFERENCES keys (id)
);

-- The version of the last change. One row. Whoever changes rules updates it and so holds its lock to the end: changes become visible
-- in the order of their versions.
CREATE TABLE blocks_sequence (
    id      integer PRIMARY KEY CHECK (id = 0),
    version bigint  NOT NULL
);
INSERT INTO blocks_sequence (id, version) VALUES (0, 0);
