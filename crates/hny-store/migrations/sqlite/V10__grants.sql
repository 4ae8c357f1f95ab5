-- What narrows a key, until when it opens anything, and when it last did. What was given to a key is never changed.
ALTER TABLE keys ADD COLUMN own_links INTEGER NOT NULL DEFAULT 0 CHECK (own_links IN (0, 1));
-- NULL is every domain.
ALTER TABLE keys ADD COLUMN domain INTEGER REFERENCES domains (id);
ALTER TABLE keys ADD COLUMN expires_at INTEGER;
-- Coarse, and written behind.
ALTER TABLE keys ADD COLUMN last_used_at INTEGER;
