-- What visitors are kept from: domains and URLs, in the one spelling that they are compared in.
CREATE TABLE blocks (
    rule     TEXT    PRIMARY KEY CHECK (length(rule) > 0),
    added_at INTEGER NOT NULL,
    -- NULL is whoever runs the program.
    added_by INTEGER REFERENCES keys (id)
) STRICT, WITHOUT ROWID;

-- Every addition and removal, in their order. Nothing is taken out: it is the record of who did what, and the news for every node.
CREATE TABLE block_changes (
    version     INTEGER PRIMARY KEY,
    rule        TEXT    NOT NULL,
    is_addition INTEGER NOT NULL CHECK (is_addition IN (0, 1)),
    at          INTEGER NOT NULL,
    by          INTEGER REFERENCES keys (id)
) STRICT;
