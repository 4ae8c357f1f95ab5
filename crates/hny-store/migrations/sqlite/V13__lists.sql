-- To list the links of an owner in the order of their ids, without reading those that are deleted. The links of nobody cost nothing
-- here: whoever sees these sees all.
CREATE INDEX links_owner ON links (owner, deleted_at) WHERE owner IS NOT NULL;

-- A code that a link had and is still found by has a row of its own, which says of which link it is. For an older version of the program
-- it is a tombstone. Its id is its first version, below zero: no link has that.
ALTER TABLE links ADD COLUMN alias_of INTEGER;
CREATE INDEX links_aliases ON links (alias_of) WHERE alias_of IS NOT NULL;
-- The codes of these rows, in the row of the link: a list of texts in JSON. NULL is none.
ALTER TABLE links ADD COLUMN aliases TEXT;
