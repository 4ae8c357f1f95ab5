-- How often each link was followed. A link that never was has no row. Narrow rows beside the links, not a column of theirs: a
-- count is written again and again, and hundreds of these share a page.
CREATE TABLE click_counts (
    link   INTEGER PRIMARY KEY,
    clicks INTEGER NOT NULL CHECK (clicks > 0)
) STRICT;

-- A link that is deleted takes its count with it, also when an older version of the program deletes it, which may share the file.
-- So a row here is always one of a live link.
CREATE TRIGGER links_deleted AFTER UPDATE OF deleted_at ON links WHEN new.deleted_at IS NOT NULL BEGIN
    DELETE FROM click_counts WHERE link = old.id;
END;
