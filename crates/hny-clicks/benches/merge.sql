-- the clicks
OPTIMIZE TABLE clicks FINAL;

-- their quarters
OPTIMIZE TABLE click_quarters FINAL;

-- their visitors
OPTIMIZE TABLE click_visitors FINAL;
