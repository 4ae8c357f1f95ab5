-- The generation of the keys in a shared cache, and the run of the cache server that it belongs to. One row.
CREATE TABLE cache_generation (
    id         INTEGER PRIMARY KEY CHECK (id = 0),
    generation INTEGER NOT NULL,
    run_id     TEXT
) STRICT;
INSERT INTO cache_generation (id, generation) VALUES (0, 0);
