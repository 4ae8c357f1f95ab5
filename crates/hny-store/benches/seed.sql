-- Links for the benches: as many as stand in place of @LINKS@. Their codes come in random order, as those of drawn codes do; their ids
-- and versions ascend, as they do where links are made one after the other. A code is a digit or a letter and six digits, so that
-- pgbench, which can only count, knows the codes of the first nine million.

-- The domain and the owner of each link are there; to look would take twice as long as the rest.
SET LOCAL session_replication_role = replica;

INSERT INTO keys (name, role, secret_hash, created_at)
VALUES ('seed', 'admin', decode(repeat('00', 32), 'hex'), 1790000000000);

INSERT INTO links (id, domain, code, is_custom, owner, target, target_hash, created_at, updated_at, active, version)
SELECT place, 0, code, false, 1, '@TARGET@' || code, hashtextextended(code, 1), 1790000000000, 1790000000000, true, place
FROM (
    SELECT row_number() OVER (ORDER BY hashint8extended(number, 0)) AS place,
        substr('123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', 1 + number / 1000000, 1)
            || lpad((number % 1000000)::text, 6, '0') AS code
    FROM generate_series(0, @LINKS@ - 1) AS number
) AS made
ORDER BY place;

UPDATE sequence SET version = @LINKS@;
