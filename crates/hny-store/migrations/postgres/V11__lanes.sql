-- Each spool that is there has a lane of its own, so that two nodes that count clicks of one link never wait for each other. A version of the
-- program from before leaves it empty, and takes one of the lanes below 16, which others may have too.
ALTER TABLE spools ADD COLUMN lane smallint UNIQUE;
