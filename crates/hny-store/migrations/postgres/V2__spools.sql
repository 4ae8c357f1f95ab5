-- The same tables as in migrations/sqlite/V6__spools.sql; what each is for is said there.
CREATE TABLE spools (
    id       bigint PRIMARY KEY,
    position bigint NOT NULL
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

CREATE TABLE database_id (
    id    integer PRIMARY KEY CHECK (id = 0),
    value bigint  NOT NULL
);
-- 60 of the random bits of a UUID.
INSERT INTO database_id (id, value)
    VALUES (0, ('x' || left(replace(gen_random_uuid()::text, '-', ''), 16))::bit(64)::bigint);
