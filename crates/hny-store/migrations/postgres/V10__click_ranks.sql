-- To list links by their clicks: a row for each link that was followed, with its clicks in all lanes. Rows follow what is counted. Whoever
-- counts only leaves a note of the links, and one at a time brings their rows up to date: nobody who counts waits for a row of a link that
-- others count, too. A link that is deleted may keep its row for some time.
CREATE TABLE click_ranks (
    link   bigint PRIMARY KEY,
    -- That of the link, which never has another.
    owner  bigint,
    clicks bigint NOT NULL CHECK (clicks > 0)
);

CREATE TABLE rank_notes (
    id    bigint   GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    links bigint[] NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- Triggers leave the notes, whatever version of the program counts. Each note has ten thousand links at most.
CREATE FUNCTION note_counted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO rank_notes (links)
    SELECT array_agg(link) FROM (SELECT link, row_number() OVER () / 10000 AS part FROM counted) AS c GROUP BY part;
    RETURN NULL;
END $$;
CREATE TRIGGER click_lanes_begun AFTER INSERT ON click_lanes
    REFERENCING NEW TABLE AS counted FOR EACH STATEMENT EXECUTE FUNCTION note_counted();
CREATE TRIGGER click_lanes_changed AFTER UPDATE ON click_lanes
    REFERENCING NEW TABLE AS counted FOR EACH STATEMENT EXECUTE FUNCTION note_counted();
CREATE TRIGGER click_counts_begun AFTER INSERT ON click_counts
    REFERENCING NEW TABLE AS counted FOR EACH STATEMENT EXECUTE FUNCTION note_counted();
CREATE TRIGGER click_counts_changed AFTER UPDATE ON click_counts
    REFERENCING NEW TABLE AS counted FOR EACH STATEMENT EXECUTE FUNCTION note_counted();

-- When this goes, nobody is left who could count clicks of the deleted link.
CREATE FUNCTION remove_rank() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM click_ranks WHERE link = old.link;
    RETURN NULL;
END $$;
CREATE TRIGGER clicks_removed AFTER DELETE ON clicks_to_remove FOR EACH ROW EXECUTE FUNCTION remove_rank();

INSERT INTO click_ranks (link, owner, clicks)
SELECT links.id, links.owner, sum(c.clicks)
FROM (SELECT link, clicks FROM click_lanes UNION ALL SELECT link, clicks FROM click_counts) AS c JOIN links ON links.id = c.link
WHERE links.deleted_at IS NULL
GROUP BY links.id
HAVING sum(c.clicks) > 0;
CREATE INDEX click_ranks_all ON click_ranks (clicks, link);
CREATE INDEX click_ranks_owner ON click_ranks (owner, clicks, link) WHERE owner IS NOT NULL;
