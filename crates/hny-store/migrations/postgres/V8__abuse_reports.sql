-- The same table as in migrations/sqlite/V12__abuse_reports.sql; what each column is for is said there.
CREATE TABLE abuse_reports (
    id          bigint  PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    link        bigint  NOT NULL,
    domain      integer NOT NULL,
    code        text    COLLATE "C" NOT NULL,
    reason      text    NOT NULL,
    detail      text,
    reporter    text    NOT NULL,
    reported_at bigint  NOT NULL,
    resolved_at bigint,
    resolved_by bigint  REFERENCES keys (id)
);
CREATE UNIQUE INDEX abuse_reports_open ON abuse_reports (link, reporter) WHERE resolved_at IS NULL;
CREATE INDEX abuse_reports_waiting ON abuse_reports (id) WHERE resolved_at IS NULL;
