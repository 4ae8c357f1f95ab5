#!/bin/sh
# The start of the replica: a copy of the primary, made once, which follows it from then on.
set -eu

if [ ! -s "$PGDATA/PG_VERSION" ]; then
    # What an attempt that was cut off has left.
    find "$PGDATA" -mindepth 1 -delete
    pg_basebackup --pgdata="$PGDATA" --host="$PRIMARY_HOST" --username=replicator --no-password \
        --wal-method=stream --slot=replica --write-recovery-conf --checkpoint=fast
fi
exec docker-entrypoint.sh postgres
