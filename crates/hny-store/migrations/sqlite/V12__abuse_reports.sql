-- What visitors say of links that do harm. They stay when the link goes.
CREATE TABLE abuse_reports (
    -- AUTOINCREMENT: a number is never given twice.
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    link        INTEGER NOT NULL,
    -- What the link had when it was reported.
    domain      INTEGER NOT NULL,
    code        TEXT    NOT NULL COLLATE BINARY,
    reason      TEXT    NOT NULL,
    detail      TEXT,
    -- A name that the client had on that day, never its address.
    reporter    TEXT    NOT NULL,
    reported_at INTEGER NOT NULL,
    -- NULL while nobody has dealt with it.
    resolved_at INTEGER,
    -- NULL is the operator.
    resolved_by INTEGER REFERENCES keys (id)
) STRICT;
-- A client says the same of a link once.
CREATE UNIQUE INDEX abuse_reports_open ON abuse_reports (link, reporter) WHERE resolved_at IS NULL;
CREATE INDEX abuse_reports_waiting ON abuse_reports (id) WHERE resolved_at IS NULL;
