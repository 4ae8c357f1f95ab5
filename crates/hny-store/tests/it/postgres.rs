//! What is particular to PostgreSQL.

mod faults;
mod open;
mod writing;
