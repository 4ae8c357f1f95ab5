//! The statements that read clicks and their counts. Both databases take them: every number is a bigint, and the places are named in
//! the order in which they come first, as SQLite numbers them.

/// The columns of a click, but for its link.
macro_rules! click_columns {
    ($table:literal) => {
        concat!(
            $table,
            "at, ",
            $table,
            "id, ",
            $table,
            "kind, ",
            $table,
            "visitor, ",
            $table,
            "country, ",
            $table,
            "referrer, ",
            $table,
            "browser, ",
            $table,
            "os, ",
            $table,
            "device, ",
            $table,
            "language"
        )
    };
}
pub(crate) use click_columns;

/// What a click says in the dimension with the number `$2`.
macro_rules! value {
    () => {
        "CASE CAST($2 AS bigint) WHEN 0 THEN c.country WHEN 1 THEN c.referrer WHEN 2 THEN c.browser WHEN 3 THEN c.os \
         WHEN 4 THEN c.device ELSE c.language END"
    };
}

/// Which links `l` are in the scope: those of the owner `$1`, those on the domain `$1`, or all.
macro_rules! scope {
    (owner) => {
        "l.deleted_at IS NULL AND l.owner = CAST($1 AS bigint)"
    };
    (domain) => {
        "l.deleted_at IS NULL AND l.domain = CAST($1 AS bigint)"
    };
    (all) => {
        "l.deleted_at IS NULL AND CAST($1 AS bigint) IS NULL"
    };
}

/// By slot of a grid that is shifted by `$4` and has slots of `$5` quarters: a quarter in it, clicks, robots, prefetches, probes,
/// uniques. Of the link `$1` from the time `$2` until before `$3`.
pub(crate) const QUARTERS_OF_LINK: &str = "
    SELECT CAST(MIN(quarter) AS bigint), SUM(clicks), SUM(robots), SUM(prefetches), SUM(probes), SUM(uniques)
    FROM click_quarters
    WHERE link = CAST($1 AS bigint) AND quarter >= CAST($2 AS bigint) / 900000 AND quarter < CAST($3 AS bigint) / 900000
        AND EXISTS (SELECT 1 FROM links WHERE id = CAST($1 AS bigint) AND deleted_at IS NULL)
    GROUP BY (quarter + CAST($4 AS bigint)) / CAST($5 AS bigint)
    HAVING SUM(clicks) + SUM(robots) + SUM(prefetches) + SUM(probes) > 0
    ORDER BY 1";

/// The same of many links. The days that the span touches begin at `$4` and end at `$5`: which click is a visitor's first in the scope
/// is seen in the whole day only. The grid is shifted by `$6` and has slots of `$7` quarters.
macro_rules! quarters {
    ($scope:tt) => {
        concat!(
            "
    SELECT CAST(MIN(quarter) AS bigint), SUM(clicks), SUM(robots), SUM(prefetches), SUM(probes), SUM(uniques)
    FROM (
        SELECT q.quarter, q.clicks, q.robots, q.prefetches, q.probes, 0 AS uniques
        FROM links l JOIN click_quarters q ON q.link = l.id
        WHERE ",
            scope!($scope),
            " AND q.quarter >= CAST($2 AS bigint) / 900000 AND q.quarter < CAST($3 AS bigint) / 900000
        UNION ALL
        SELECT f.at / 900000, 0, 0, 0, 0, 1
        FROM (
            SELECT c.at, row_number() OVER (PARTITION BY c.at / 86400000, c.visitor ORDER BY c.at, c.id, c.link) AS place
            FROM links l JOIN clicks c ON c.link = l.id
            WHERE ",
            scope!($scope),
            " AND c.is_first AND c.at >= CAST($4 AS bigint) AND c.at < CAST($5 AS bigint)
        ) f
        WHERE f.place = 1 AND f.at >= CAST($2 AS bigint) AND f.at < CAST($3 AS bigint)
    ) counts
    GROUP BY (quarter + CAST($6 AS bigint)) / CAST($7 AS bigint)
    HAVING SUM(clicks) + SUM(robots) + SUM(prefetches) + SUM(probes) > 0
    ORDER BY 1"
        )
    };
}
pub(crate) const QUARTERS_OF_OWNER: &str = quarters!(owner);
pub(crate) const QUARTERS_OF_DOMAIN: &str = quarters!(domain);
pub(crate) const QUARTERS_OF_ALL: &str = quarters!(all);

/// By value in the dimension `$2`: clicks, uniques. Of the link `$1`, from the day `$3` until before `$4`, and from the time `$5` until
/// before `$6`, and from `$7` until before `$8`.
pub(crate) const GROUPS_OF_LINK: &str = concat!(
    "
    SELECT value, SUM(clicks), SUM(uniques)
    FROM (
        SELECT value, clicks, uniques FROM click_days
        WHERE link = CAST($1 AS bigint) AND dimension = CAST($2 AS bigint) AND day >= CAST($3 AS bigint) AND day < CAST($4 AS bigint)
        UNION ALL
        SELECT ",
    value!(),
    ", 1, CASE WHEN c.is_first THEN 1 ELSE 0 END FROM clicks c
        WHERE c.link = CAST($1 AS bigint) AND c.kind = 0 AND c.at >= CAST($5 AS bigint) AND c.at < CAST($6 AS bigint)
        UNION ALL
        SELECT ",
    value!(),
    ", 1, CASE WHEN c.is_first THEN 1 ELSE 0 END FROM clicks c
        WHERE c.link = CAST($1 AS bigint) AND c.kind = 0 AND c.at >= CAST($7 AS bigint) AND c.at < CAST($8 AS bigint)
    ) counts
    WHERE EXISTS (SELECT 1 FROM links WHERE id = CAST($1 AS bigint) AND deleted_at IS NULL)
    GROUP BY value
    HAVING SUM(clicks) > 0
    ORDER BY 2 DESC, 1"
);

/// The same of many links; the days that the span touches begin at `$9` and end at `$10`,
/// it begins itself at `$11` and ends at `$12`.
macro_rules! groups {
    ($scope:tt) => {
        concat!(
            "
    SELECT value, SUM(clicks), SUM(uniques)
    FROM (
        SELECT d.value, d.clicks, 0 AS uniques
        FROM links l JOIN click_days d ON d.link = l.id
        WHERE ",
            scope!($scope),
            " AND d.dimension = CAST($2 AS bigint) AND d.day >= CAST($3 AS bigint) AND d.day < CAST($4 AS bigint)
        UNION ALL
        SELECT ",
            value!(),
            ", 1, 0
        FROM links l JOIN clicks c ON c.link = l.id
        WHERE ",
            scope!($scope),
            " AND c.kind = 0 AND c.at >= CAST($5 AS bigint) AND c.at < CAST($6 AS bigint)
        UNION ALL
        SELECT ",
            value!(),
            ", 1, 0
        FROM links l JOIN clicks c ON c.link = l.id
        WHERE ",
            scope!($scope),
            " AND c.kind = 0 AND c.at >= CAST($7 AS bigint) AND c.at < CAST($8 AS bigint)
        UNION ALL
        SELECT f.value, 0, 1
        FROM (
            SELECT c.at, ",
            value!(),
            " AS value,
                row_number() OVER (PARTITION BY c.at / 86400000, c.visitor ORDER BY c.at, c.id, c.link) AS place
            FROM links l JOIN clicks c ON c.link = l.id
            WHERE ",
            scope!($scope),
            " AND c.is_first AND c.at >= CAST($9 AS bigint) AND c.at < CAST($10 AS bigint)
        ) f
        WHERE f.place = 1 AND f.at >= CAST($11 AS bigint) AND f.at < CAST($12 AS bigint)
    ) counts
    GROUP BY value
    HAVING SUM(clicks) > 0
    ORDER BY 2 DESC, 1"
        )
    };
}
pub(crate) const GROUPS_OF_OWNER: &str = groups!(owner);
pub(crate) const GROUPS_OF_DOMAIN: &str = groups!(domain);
pub(crate) const GROUPS_OF_ALL: &str = groups!(all);

/// The visits of the link `$1` from the time `$2` until before `$3`, behind the time `$4` and number `$5`; at most `$6`.
pub(crate) const CLICKS: &str = concat!(
    "SELECT ",
    click_columns!("c."),
    "
    FROM clicks c
    WHERE c.link = CAST($1 AS bigint) AND c.at >= CAST($2 AS bigint) AND c.at < CAST($3 AS bigint)
        AND (c.at, c.id) > (CAST($4 AS bigint), CAST($5 AS bigint))
        AND EXISTS (SELECT 1 FROM links WHERE id = CAST($1 AS bigint) AND deleted_at IS NULL)
    ORDER BY c.at, c.id
    LIMIT CAST($6 AS bigint)"
);
