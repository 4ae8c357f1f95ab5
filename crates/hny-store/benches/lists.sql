-- Makes all links those of the newest key. Each was followed, and one of a thousand has a tag.
UPDATE links SET owner = (SELECT max(id) FROM keys);
UPDATE links SET tags = '@TAGS@' WHERE id % 1000 = 0;
INSERT INTO click_counts (link, clicks) SELECT id, 1 + id * 7919 % 1000 FROM links WHERE deleted_at IS NULL;
