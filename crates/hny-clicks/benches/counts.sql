-- all clicks of the year
SELECT count() FROM clicks WHERE kind = 'person';

-- a country
SELECT count() FROM clicks WHERE country = 'C42';

-- a country, a browser and a device
SELECT count() FROM clicks WHERE country = 'C42' AND browser = 'browser 7' AND device = 'device 2';

-- a part of a referrer
SELECT count() FROM clicks WHERE referrer LIKE '%-7%';

-- the robots of a month
SELECT count() FROM clicks WHERE kind = 'robot' AND at >= '2025-06-01' AND at < '2025-07-01';

-- nights, by language
SELECT language, count() FROM clicks WHERE toHour(at) < 6 GROUP BY language;

-- by referrer and system
SELECT referrer, os, count() FROM clicks GROUP BY referrer, os;

-- the visitors of a country
SELECT uniqExact(visitor) FROM clicks WHERE country = 'C42';
