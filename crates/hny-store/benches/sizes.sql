-- Bytes of the links: all of them, the table alone (with what is kept beside it), and each index.
SELECT 'rows', count(*) FROM links
UNION ALL
SELECT 'table', pg_table_size('links')
UNION ALL
SELECT indexrelid::regclass::text, pg_relation_size(indexrelid) FROM pg_index WHERE indrelid = 'links'::regclass;
