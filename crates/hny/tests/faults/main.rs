//! The real program when things go wrong: crashes, full disks, slow clients, other processes, the end.
#![cfg(test)]

mod crash;
mod durability;
mod two_processes;

mod admin;
mod ledger;
mod load;
mod visit;

use hny_testkit::Program;

/// The program under test, in a folder of its own.
fn program() -> Program {
    Program::new(env!("CARGO_BIN_EXE_hny"))
}
