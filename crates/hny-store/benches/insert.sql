\set id random(1000000000000, 9000000000000000000)
\set code random(100000000000, 999999999999)
INSERT INTO links (id, domain, code, is_custom, owner, target, target_hash, created_at, updated_at, active, version) VALUES (:id, 0, :code, false, 1, 'https://www.example.com/articles/2026/11/keeping-bees-in-the-city?campaign=new-' || :id, :id, 1790000000000, 1790000000000, true, :id);
