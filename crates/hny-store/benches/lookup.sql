\set code random(1000000, 999999 + :links)
SELECT id, target, active, valid_from, expires_at, redirect_status, forward_query, version, forward_path, max_clicks IS NOT NULL, password_hash IS NOT NULL, private, expired_url FROM links WHERE domain = 0 AND code = :code AND deleted_at IS NULL;
