#!/bin/sh
# Run once by the image of PostgreSQL, when the database is made: lets a replica follow.
set -eu

# The password is handed over as a variable of psql, which quotes it.
psql --set ON_ERROR_STOP=1 --set password="$REPLICATION_PASSWORD" \
    --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<'SQL'
CREATE ROLE replicator WITH REPLICATION LOGIN PASSWORD :'password';
-- The log is kept for the replica while it is away (max_slot_wal_keep_size says how much).
SELECT pg_create_physical_replication_slot('replica');
SQL

echo "host replication replicator samenet scram-sha-256" >>"$PGDATA/pg_hba.conf"
