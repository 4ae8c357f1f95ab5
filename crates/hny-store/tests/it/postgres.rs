//! What is particular to PostgreSQL.

mod faults;
mod open;
mod replicas;
mod tls;
mod writing;
