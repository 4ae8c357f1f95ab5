-- Ten million clicks of one link over the year 2025, as the counts that are kept of them: of each quarter of an hour, and of each day
-- by 241 values in six dimensions. @LANE@ and @LANES@ are for databases where each node counts in a lane of its own.

INSERT INTO click_quarters (link, quarter, @LANE@ clicks, uniques, robots, prefetches, probes)
WITH RECURSIVE
    quarters (number) AS (SELECT 0 UNION ALL SELECT number + 1 FROM quarters WHERE number < 35039),
    lanes (lane) AS (SELECT 0 UNION ALL SELECT lane + 1 FROM lanes WHERE lane < @LANES@ - 1)
SELECT links.id, 1928544 + number, @LANE@ 286 / @LANES@, 200 / @LANES@, 40 / @LANES@, 8 / @LANES@, 4 / @LANES@
FROM links, quarters, lanes
WHERE links.code = 'counted';

INSERT INTO click_days (link, dimension, day, @LANE@ value, clicks, uniques)
WITH RECURSIVE
    days (number) AS (SELECT 0 UNION ALL SELECT number + 1 FROM days WHERE number < 364),
    -- So many countries, referrers, browsers, systems, devices and languages.
    dimensions (dimension, size) AS (VALUES (0, 100), (1, 100), (2, 12), (3, 8), (4, 3), (5, 18)),
    places (place) AS (SELECT 0 UNION ALL SELECT place + 1 FROM places WHERE place < 99),
    lanes (lane) AS (SELECT 0 UNION ALL SELECT lane + 1 FROM lanes WHERE lane < @LANES@ - 1)
SELECT links.id, dimension, 20089 + number, @LANE@ 'value ' || place, 27397 / size / @LANES@, 19178 / size / @LANES@
FROM links, days, dimensions, places, lanes
WHERE links.code = 'counted' AND place < size;
