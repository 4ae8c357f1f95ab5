-- The same as migrations/sqlite/V8; what each is for is said there.
ALTER TABLE links
    ADD COLUMN max_clicks    bigint CHECK (max_clicks > 0),
    ADD COLUMN forward_path  boolean,
    ADD COLUMN expired_url   text,
    ADD COLUMN note          text,
    ADD COLUMN tags          text[],
    ADD COLUMN password_hash text;

-- Room in each page lets a count be raised in place.
CREATE TABLE claims (
    link       bigint PRIMARY KEY,
    used       bigint NOT NULL CHECK (used > 0),
    last_visit text
) WITH (fillfactor = 50);

CREATE TABLE link_tags (
    tag  text   COLLATE "C" NOT NULL,
    link bigint NOT NULL,
    PRIMARY KEY (tag, link)
);
CREATE FUNCTION tag_link() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND old.tags IS NOT NULL THEN
        DELETE FROM link_tags WHERE link = old.id AND tag = ANY (old.tags);
    END IF;
    IF new.tags IS NOT NULL THEN
        INSERT INTO link_tags (tag, link) SELECT tag, new.id FROM unnest(new.tags) AS tag ON CONFLICT DO NOTHING;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER links_tagged AFTER INSERT ON links
    FOR EACH ROW WHEN (new.tags IS NOT NULL) EXECUTE FUNCTION tag_link();
-- On every update: what another trigger changes does not count as named by the statement.
CREATE TRIGGER links_retagged AFTER UPDATE ON links
    FOR EACH ROW WHEN (new.tags IS DISTINCT FROM old.tags OR new.tags IS NOT NULL AND new.id <> old.id)
    EXECUTE FUNCTION tag_link();

CREATE FUNCTION remove_claims() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM claims WHERE link = old.id;
    RETURN NULL;
END $$;
CREATE TRIGGER links_deleted_claims AFTER UPDATE OF deleted_at ON links
    FOR EACH ROW WHEN (new.deleted_at IS NOT NULL) EXECUTE FUNCTION remove_claims();

CREATE FUNCTION clear_deleted_fields() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    new.max_clicks := NULL;
    new.forward_path := NULL;
    new.expired_url := NULL;
    new.note := NULL;
    new.tags := NULL;
    new.password_hash := NULL;
    RETURN new;
END $$;
CREATE TRIGGER links_deleted_fields BEFORE UPDATE OF deleted_at ON links
    FOR EACH ROW WHEN (new.deleted_at IS NOT NULL) EXECUTE FUNCTION clear_deleted_fields();
