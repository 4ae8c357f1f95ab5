-- How far the clicks in a spool (the files in which a process keeps clicks until they are stored) are stored: all before
-- `position`. It is written with the clicks, in one transaction.
CREATE TABLE spools (
    id       INTEGER PRIMARY KEY,
    position INTEGER NOT NULL
) STRICT;

-- A number that no other database has, so that spools in one folder go to the database that their clicks belong to. One row.
CREATE TABLE database_id (
    id    INTEGER PRIMARY KEY CHECK (id = 0),
    value INTEGER NOT NULL
) STRICT;
INSERT INTO database_id (id, value) VALUES (0, random());
