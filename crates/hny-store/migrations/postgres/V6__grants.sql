-- What narrows a key, until when it opens anything, and when it last did. What was given to a key is never changed.
ALTER TABLE keys ADD COLUMN own_links boolean NOT NULL DEFAULT false;
-- NULL is every domain.
ALTER TABLE keys ADD COLUMN domain integer REFERENCES domains (id);
ALTER TABLE keys ADD COLUMN expires_at bigint;
-- Coarse, and written behind.
ALTER TABLE keys ADD COLUMN last_used_at bigint;
