\set code random(1000000, 999999 + :links)
SELECT id, target, active, valid_from, expires_at, redirect_status, forward_query, version FROM links WHERE domain = 0 AND code = :code AND deleted_at IS NULL;
