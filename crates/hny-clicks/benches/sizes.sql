-- clicks
SELECT count() FROM clicks;

-- bytes of clicks
SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND table = 'clicks';

-- bytes of all tables
SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND table LIKE 'click%';
