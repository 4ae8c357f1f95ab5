//! What is particular to PostgreSQL.

mod faults;
mod lanes;
mod open;
mod receipts;
mod replicas;
mod tls;
mod writing;
