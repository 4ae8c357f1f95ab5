//! What is particular to PostgreSQL.

mod faults;
mod open;
mod receipts;
mod replicas;
mod tls;
mod writing;
