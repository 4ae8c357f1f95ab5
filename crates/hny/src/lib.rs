#![doc = include_str!("../README.md")]

pub mod cli;
pub mod config;
pub mod exit;
pub mod printer;
pub mod telemetry;
