-- The same as migrations/sqlite/V13__lists.sql.
CREATE INDEX links_owner ON links (owner, id) WHERE deleted_at IS NULL AND owner IS NOT NULL;

ALTER TABLE links
    ADD COLUMN alias_of bigint,
    ADD COLUMN aliases  text[];
CREATE INDEX links_aliases ON links (alias_of) WHERE alias_of IS NOT NULL;
