-- A part of ten million clicks of the link that has one, over the year 2025: by seven million visitors, from 100 countries and 100 referrers, with 12
-- browsers, 8 systems, 3 kinds of devices and 18 languages; one in seven visits is of a robot.
INSERT INTO clicks (id, link, owner, at, kind, visitor, country, referrer, browser, os, device, language)
WITH (SELECT (link, owner) FROM clicks LIMIT 1) AS of
SELECT
    number,
    of.1,
    of.2,
    toDateTime64('2025-01-01 00:00:00', 3, 'UTC') + toIntervalMillisecond(intDiv(number * 31536, 10) % 31536000000),
    if(number % 7 = 0, 'robot', 'person'),
    cityHash64(number % 7000000),
    'C' || toString(cityHash64(number, 1) % 100),
    'referrer-' || toString(cityHash64(number, 2) % 100) || '.example',
    'browser ' || toString(cityHash64(number, 3) % 12),
    'os ' || toString(cityHash64(number, 4) % 8),
    'device ' || toString(cityHash64(number, 5) % 3),
    'l' || toString(cityHash64(number, 6) % 18)
FROM numbers(@FIRST@, @COUNT@)
