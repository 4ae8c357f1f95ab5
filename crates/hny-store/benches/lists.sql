-- Makes all links those of the newest key. Half of them have one tag, and one of a thousand has another. Each was followed, but for one
-- of a thousand. @TAGS@ and @BOTH@ are the tags of a link as the database writes them.
UPDATE links SET owner = (SELECT max(id) FROM keys), tags = CASE WHEN id % 1000 = 0 THEN @BOTH@ WHEN id % 2 = 0 THEN @TAGS@ END,
    title = 'Keeping bees';
INSERT INTO click_counts (link, clicks) SELECT id, 1 + id * 7919 % 1000 FROM links WHERE deleted_at IS NULL AND id % 1000 <> 1;
