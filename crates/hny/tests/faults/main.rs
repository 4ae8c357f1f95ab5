//! The real program when things go wrong or much goes on: crashes, full disks, slow clients, other processes, load, the end.
#![cfg(test)]

mod clicks;
mod crash;
mod disk;
mod durability;
mod dying_nodes;
mod growth;
mod logs;
mod nginx;
mod rolling_restart;
#[cfg(all(feature = "clickhouse", feature = "kafka"))]
mod shipping;
mod shutdown;
mod slow_clients;
mod two_processes;
mod under_load;

mod admin;
mod chance;
mod ledger;
mod load;
mod memory;
mod proxy;
mod visit;

use hny_testkit::Program;

/// The program under test, in a folder of its own.
fn program() -> Program {
    Program::new(env!("CARGO_BIN_EXE_hny"))
}
