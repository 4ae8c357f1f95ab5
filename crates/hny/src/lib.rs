#![doc = include_str!("../README.md")]

pub mod cli;
pub mod compose;
pub mod config;
pub mod exit;
pub mod lifecycle;
pub mod printer;
pub mod telemetry;
