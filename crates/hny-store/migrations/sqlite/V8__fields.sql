-- How often a link may be followed; NULL is no limit.
ALTER TABLE links ADD COLUMN max_clicks INTEGER CHECK (max_clicks > 0);
-- Whether what stands behind the code in a visitor's path is handed on. NULL is no.
ALTER TABLE links ADD COLUMN forward_path INTEGER CHECK (forward_path IN (0, 1));
-- Where visitors go when the link is expired or used up.
ALTER TABLE links ADD COLUMN expired_url TEXT;
ALTER TABLE links ADD COLUMN note TEXT;
-- A list of texts in JSON. NULL is none.
ALTER TABLE links ADD COLUMN tags TEXT;
-- In the text form of PHC.
ALTER TABLE links ADD COLUMN password_hash TEXT;

-- How often a link was followed while that had a limit. Narrow rows beside the links, as those of click_counts. Nothing takes a
-- version here: no cache knows how often it was, and none has to forget it.
CREATE TABLE claims (
    link INTEGER PRIMARY KEY,
    used INTEGER NOT NULL CHECK (used > 0),
    -- The visit that was granted one last, where a proxy gives visits a name: asked for twice, it is one visit.
    last_visit TEXT
) STRICT;

-- Which links have a tag, for those who look for them. Triggers see to it, whatever version of the program changes a link.
CREATE TABLE link_tags (
    tag  TEXT    NOT NULL COLLATE BINARY,
    link INTEGER NOT NULL,
    PRIMARY KEY (tag, link)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER links_tagged AFTER INSERT ON links WHEN new.tags IS NOT NULL BEGIN
    INSERT OR IGNORE INTO link_tags (tag, link) SELECT value, new.id FROM json_each(new.tags);
END;
CREATE TRIGGER links_retagged AFTER UPDATE OF tags, id ON links
WHEN new.tags IS NOT old.tags OR new.tags IS NOT NULL AND new.id <> old.id BEGIN
    DELETE FROM link_tags WHERE link = old.id AND tag IN (SELECT value FROM json_each(coalesce(old.tags, '[]')));
    INSERT OR IGNORE INTO link_tags (tag, link) SELECT value, new.id FROM json_each(coalesce(new.tags, '[]'));
END;

-- A tombstone says nothing of the link, also when a version deletes it that does not know these columns.
CREATE TRIGGER links_deleted_fields AFTER UPDATE OF deleted_at ON links WHEN new.deleted_at IS NOT NULL BEGIN
    DELETE FROM claims WHERE link = old.id;
    UPDATE links SET max_clicks = NULL, forward_path = NULL, expired_url = NULL, note = NULL, tags = NULL, password_hash = NULL
        WHERE id = old.id;
END;
