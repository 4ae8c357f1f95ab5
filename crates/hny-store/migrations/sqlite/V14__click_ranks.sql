-- To list links by their clicks, those of an owner and all. A link never has another owner.
ALTER TABLE click_counts ADD COLUMN owner INTEGER;
UPDATE click_counts SET owner = (SELECT owner FROM links WHERE id = link);
-- Whatever version of the program begins to count.
CREATE TRIGGER click_counts_begun AFTER INSERT ON click_counts WHEN new.owner IS NULL BEGIN
    UPDATE click_counts SET owner = (SELECT owner FROM links WHERE id = new.link) WHERE link = new.link;
END;
-- Each ends with the number of the row, which is the link.
CREATE INDEX click_counts_all ON click_counts (clicks);
CREATE INDEX click_counts_owner ON click_counts (owner, clicks) WHERE owner IS NOT NULL;
